import { blocksTruck, driverMoves, needsReason, shiftMoves, shifts } from '@roadshow/contract/planning/shifts'
import type { Shift, ShiftStatus } from '@roadshow/contract/planning/shifts'
import { formatClock, formatWeekday } from '@roadshow/contract/platform/dates'
import { earlyStartRefusal } from '@roadshow/contract/planning/shift-window'
import { Alert, Button, Checkbox, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { useNow } from '../../ui/useNow.ts'
import { CorrectTimes } from './CorrectTimes.tsx'
import { ProgramStatusTag } from './shiftColumns.tsx'
import { ShiftStatusTag } from './ShiftStatusTag.tsx'
import styles from './shiftTabs.module.css'

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

const completeUnstarted: StatusAction = {
  label: 'Complete without a start',
  effect: 'No start was recorded, so payroll asks for a decision. To record the hours, correct the times instead.',
  done: 'Shift completed.',
}

function actionFor({ status, startedAt }: Shift, to: ShiftStatus): StatusAction {
  if (status === 'completed' && to === 'out') return reopen
  return to === 'completed' && startedAt === null ? completeUnstarted : actionTo[to]
}

const isReasonNeededFor = ({ startedAt }: Shift, to: ShiftStatus) =>
  needsReason(to) || (to === 'completed' && startedAt === null)

/** A change of status: asked for, confirmed with a reason where one is needed, and saved. */
function useStatusChange(shift: Shift, onDone: () => void) {
  const move = useSave(shifts.move)
  const notice = useNotice()
  const [wanted, setWanted] = useState<ShiftStatus>()
  const [reason, setReason] = useState('')
  const [allowInactiveProgram, setAllowed] = useState(false)
  return {
    wanted,
    allowInactiveProgram,
    setAllowed,
    reason,
    setReason,
    error: move.error,
    isSaving: move.isPending,
    ask(status: ShiftStatus) {
      move.reset()
      setReason('')
      setAllowed(false)
      setWanted(status)
    },
    cancel: () => setWanted(undefined),
    async save(status: ShiftStatus) {
      try {
        const { uid, version } = shift
        await move.mutateAsync({ body: { uid, version, status, reason: reason.trim(), allowInactiveProgram } })
        notice(actionFor(shift, status).done)
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
  const early = earlyStartRefusal(shift, useNow())
  const [isCorrecting, setCorrecting] = useState(false)
  const all = (mayPlan ? shiftMoves[shift.status] : mayDrive ? driverMoves[shift.status] : []) ?? []
  const moves = all.filter((status) => {
    // Only staff complete a shift that never started.
    if (status === 'completed' && shift.startedAt === null && !mayPlan) return false
    return !early || (status !== 'out' && status !== 'completed')
  })
  return (
    <>
      <div className={styles.statusLine}>
        <ShiftStatusTag status={shift.status} />
        <ProgramStatusTag status={shift.programStatus} />
        {shift.reason && <Soft>{shift.reason}</Soft>}
        {moves.map((status) => (
          <Button key={status} onClick={() => change.ask(status)}>
            {actionFor(shift, status).label}
          </Button>
        ))}
        {mayPlan && !early && blocksTruck(shift.status) && (
          <Button onClick={() => setCorrecting(true)}>Correct times</Button>
        )}
        {early && all.includes('out') && <Soft>{early}</Soft>}
      </div>
      <ConfirmStatus shift={shift} change={change} />
      {isCorrecting && <CorrectTimes shift={shift} onClose={() => setCorrecting(false)} onDone={onDone} />}
    </>
  )
}

interface ConfirmStatusProps {
  shift: Shift
  change: ReturnType<typeof useStatusChange>
}

function ConfirmStatus({ shift, change }: ConfirmStatusProps) {
  const { wanted, reason, setReason, error } = change
  const reasonId = useId()
  const { label, effect, cancel = 'Cancel' } = actionFor(shift, wanted ?? shift.status)
  const isReasonNeeded = wanted !== undefined && isReasonNeededFor(shift, wanted)
  const asksForProgram = error instanceof ApiError && error.code === 'programInactive'
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
        {shift.driver?.name} · {shift.truck.name} · {formatWeekday(shift.date)}, {formatClock(shift.start)}. {effect}
      </p>
      {isReasonNeeded && (
        <>
          <label htmlFor={reasonId}>Reason</label>
          <Input id={reasonId} value={reason} maxLength={300} onChange={({ target }) => setReason(target.value)} />
        </>
      )}
      {error && <Alert type={asksForProgram ? 'warning' : 'error'} role="alert" title={errorMessage(error)} />}
      {asksForProgram && (
        <Checkbox checked={change.allowInactiveProgram} onChange={({ target }) => change.setAllowed(target.checked)}>
          Plan the shift anyway
        </Checkbox>
      )}
    </Modal>
  )
}
