import { driverMoves, needsReason, shiftMoves, shifts } from '@roadshow/contract/planning/shifts'
import type { Shift, ShiftStatus } from '@roadshow/contract/planning/shifts'
import { formatClock } from '@roadshow/contract/platform/dates'
import { Alert, Button, ConfigProvider, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { useNotice } from '../../ui/notices.tsx'
import { formatWeekday } from '../../ui/time.ts'
import { ShiftStatusTag } from './shiftColumns.tsx'
import shared from './shifts.module.css'
import styles from './StatusActions.module.css'

interface StatusAction {
  /** The button, which also answers the question in the dialog. */
  label: string
  /** What the change does. */
  effect: string
  done: string
  cancel?: string
}

const actionTo: Record<ShiftStatus, StatusAction> = {
  out: { label: 'Start shift', effect: 'The shift is marked as out from now.', done: 'Shift started.' },
  completed: { label: 'Complete shift', effect: 'The shift ends now and can be paid.', done: 'Shift completed.' },
  cancelled: {
    label: 'Cancel shift',
    effect: 'Its truck and driver become available for other shifts.',
    done: 'Shift canceled.',
    cancel: 'Keep shift',
  },
  noShow: {
    label: 'Mark as no-show',
    effect: 'Its truck and driver become available for other shifts.',
    done: 'Shift marked as no-show.',
  },
  planned: {
    label: 'Plan again',
    effect: 'It takes its truck and driver again. Its recorded start and end are cleared.',
    done: 'Shift planned again.',
  },
}

const reopen: StatusAction = {
  label: 'Reopen shift',
  effect: 'The shift is out again, and its recorded end is cleared.',
  done: 'Shift reopened.',
}

const actionFor = (from: ShiftStatus, to: ShiftStatus): StatusAction =>
  from === 'completed' && to === 'out' ? reopen : actionTo[to]

/** A change of status: asked for, confirmed with a reason where one is needed, and saved. */
function useStatusChange(shift: Shift, onDone: () => void) {
  const move = useSave(shifts.move)
  const notice = useNotice()
  const [wanted, setWanted] = useState<ShiftStatus>()
  const [reason, setReason] = useState('')
  return {
    wanted,
    reason,
    setReason,
    error: move.error,
    isSaving: move.isPending,
    ask(status: ShiftStatus) {
      move.reset()
      setReason('')
      setWanted(status)
    },
    cancel: () => setWanted(undefined),
    async save(status: ShiftStatus) {
      try {
        await move.mutateAsync({ body: { uid: shift.uid, version: shift.version, status, reason: reason.trim() } })
        notice(actionFor(shift.status, status).done)
        setWanted(undefined)
        onDone()
      } catch {
        // The dialog shows the error.
      }
    },
  }
}

/** The status of a shift, and the buttons that change it. */
export function StatusActions({ shift, onDone }: { shift: Shift; onDone: () => void }) {
  const mayPlan = useMay(shifts.update)
  const mayDrive = useMay(shifts.move)
  const change = useStatusChange(shift, onDone)
  const moves = (mayPlan ? shiftMoves[shift.status] : mayDrive ? driverMoves[shift.status] : []) ?? []
  return (
    // A driver cannot edit the form, but starts and completes the shift.
    <ConfigProvider componentDisabled={false}>
      <div className={styles.statusLine}>
        <ShiftStatusTag status={shift.status} />
        {shift.reason && <span className={shared.soft}>{shift.reason}</span>}
        {moves.map((status) => (
          <Button key={status} onClick={() => change.ask(status)}>
            {actionFor(shift.status, status).label}
          </Button>
        ))}
      </div>
      <ConfirmStatus shift={shift} change={change} />
    </ConfigProvider>
  )
}

interface ConfirmStatusProps {
  shift: Shift
  change: ReturnType<typeof useStatusChange>
}

function ConfirmStatus({ shift, change }: ConfirmStatusProps) {
  const { wanted, reason, setReason, error } = change
  const reasonId = useId()
  const { label, effect, cancel = 'Cancel' } = actionFor(shift.status, wanted ?? shift.status)
  const isReasonNeeded = wanted !== undefined && needsReason(wanted)
  return (
    <Modal
      open={wanted !== undefined}
      title={`${label}?`}
      okText={label}
      cancelText={cancel}
      width={416}
      centered
      destroyOnHidden
      confirmLoading={change.isSaving}
      okButtonProps={{ disabled: isReasonNeeded && reason.trim() === '' }}
      onOk={() => wanted && void change.save(wanted)}
      onCancel={change.cancel}
    >
      <p>
        {shift.driver.name} · {shift.truck.name} · {formatWeekday(shift.date)}, {formatClock(shift.start)}. {effect}
      </p>
      {isReasonNeeded && (
        <>
          <label htmlFor={reasonId}>Reason</label>
          <Input id={reasonId} value={reason} maxLength={300} onChange={({ target }) => setReason(target.value)} />
        </>
      )}
      {error && <Alert type="error" role="alert" title={errorMessage(error)} />}
    </Modal>
  )
}
