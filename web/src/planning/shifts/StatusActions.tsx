import { driverMoves, needsReason, shiftMoves, shifts } from '@roadshow/contract/planning/shifts'
import type { Shift, ShiftStatus } from '@roadshow/contract/planning/shifts'
import { Alert, Button, ConfigProvider, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { useNotice } from '../../ui/notices.tsx'
import { ShiftStatusTag } from './shiftColumns.tsx'
import styles from './shifts.module.css'

interface Act {
  /** The button, and in the dialog the question it answers. */
  label: string
  text: string
}

// What a status means when it is taken: `planned` is taken back from any other one.
const acts: Record<ShiftStatus, Act> = {
  out: { label: 'Start', text: 'The shift is out from now on.' },
  completed: { label: 'Complete', text: 'The shift is over, and can be paid.' },
  cancelled: { label: 'Cancel shift', text: 'Its truck and its driver are free for other shifts.' },
  noShow: { label: 'No-show', text: 'Nobody came. Its truck and its driver are free for other shifts.' },
  planned: {
    label: 'Plan again',
    text: 'It takes its truck and its driver again; when it began and ended is forgotten.',
  },
}

const nameOf = (from: ShiftStatus, to: ShiftStatus): Act =>
  from === 'completed' && to === 'out'
    ? { label: 'Reopen', text: 'The shift is out again, as if it had not ended.' }
    : acts[to]

/** What a shift is now, and what it may become. */
export function StatusActions({ shift, onDone }: { shift: Shift; onDone: () => void }) {
  const move = useSave(shifts.move)
  const mayPlan = useMay(shifts.update)
  const mayDrive = useMay(shifts.move)
  const notice = useNotice()
  const [asked, setAsked] = useState<ShiftStatus>()
  const [reason, setReason] = useState('')
  const reasonId = useId()
  const moves = (mayPlan ? shiftMoves[shift.status] : mayDrive ? driverMoves[shift.status] : []) ?? []
  const { label, text } = nameOf(shift.status, asked ?? shift.status)

  const act = async (status: ShiftStatus) => {
    try {
      await move.mutateAsync({ body: { uid: shift.uid, version: shift.version, status, reason: reason.trim() } })
      notice(`${label}: done.`)
      setAsked(undefined)
      onDone()
    } catch {
      // Stands in the dialog.
    }
  }
  const ask = (status: ShiftStatus) => {
    move.reset()
    setReason('')
    setAsked(status)
  }

  return (
    // A driver does not change the form, and starts and completes the shift nevertheless.
    <ConfigProvider componentDisabled={false}>
      <div className={styles.statusLine}>
        <ShiftStatusTag status={shift.status} />
        {shift.reason && <span className={styles.soft}>{shift.reason}</span>}
        {moves.map((status) => (
          <Button key={status} onClick={() => ask(status)}>
            {nameOf(shift.status, status).label}
          </Button>
        ))}
      </div>
      <Modal
        open={asked !== undefined}
        title={`${label}?`}
        okText={label}
        cancelText="Back"
        width={416}
        centered
        destroyOnHidden
        confirmLoading={move.isPending}
        okButtonProps={{ disabled: asked !== undefined && needsReason(asked) && reason.trim() === '' }}
        onOk={() => asked && void act(asked)}
        onCancel={() => setAsked(undefined)}
      >
        <p>{text}</p>
        {asked && needsReason(asked) && (
          <>
            <label htmlFor={reasonId}>Reason</label>
            <Input id={reasonId} value={reason} maxLength={300} onChange={({ target }) => setReason(target.value)} />
          </>
        )}
        {move.isError && <Alert type="error" role="alert" title={errorMessage(move.error)} />}
      </Modal>
    </ConfigProvider>
  )
}
