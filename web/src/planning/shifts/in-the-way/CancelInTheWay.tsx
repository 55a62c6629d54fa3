import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import type { ShiftPlanChangeResult } from '@roadshow/contract/planning/shift-plan-changes'
import { countOf } from '@roadshow/contract/platform/figures'
import { Alert, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { useNotice } from '../../../ui/notices.tsx'
import { planChangeWords } from '../board/changes/planChangeWords.ts'
import { RefusalGroups } from '../board/changes/RefusalGroups.tsx'
import { useUndo } from '../useUndo.ts'
import type { ShiftsDialogProps } from './inTheWayDialog.ts'

/** Cancels the shifts in the way, all of them or none. */
export default function CancelInTheWay({ inTheWay, onDone, onClose }: ShiftsDialogProps) {
  const planned = inTheWay.shifts.filter(({ isPlanned }) => isPlanned)
  const [reason, setReason] = useState('Plans have changed.')
  const [refused, setRefused] = useState<ShiftPlanChangeResult['refused']>([])
  const apply = useSave(shiftPlanChanges.apply)
  const notice = useNotice()
  const undo = useUndo()
  const id = useId()
  const cancel = async () => {
    const shifts = planned.map(({ uid, version }) => ({ uid, version }))
    try {
      const { data } = await apply.mutateAsync({ body: { act: { kind: 'cancel', shifts, reason: reason.trim() } } })
      if (!data.saved) return setRefused(data.refused)
      const text = planChangeWords.cancel.done(data.accepted)
      const { undoUid } = data
      notice(text, 'done', undoUid === null ? [] : [{ label: 'Undo', onAct: () => void undo({ uid: undoUid }, text) }])
      onClose()
      onDone()
    } catch {
      // The dialog shows the error.
    }
  }
  const rest = inTheWay.shifts.length - planned.length
  return (
    <Modal
      open
      centered
      title={`Cancel ${countOf(planned.length, 'shift')}?`}
      okText={`Cancel ${countOf(planned.length, 'shift')}`}
      cancelText="Keep as is"
      okButtonProps={{ disabled: reason.trim() === '' }}
      confirmLoading={apply.isPending}
      onOk={() => void cancel()}
      onCancel={onClose}
    >
      <p>{`${inTheWay.words}. Drivers are notified. You can undo it.`}</p>
      {rest > 0 && <p>{`${countOf(rest, 'more shift')} out now: complete ${rest === 1 ? 'it' : 'them'} first.`}</p>}
      <label htmlFor={id}>Reason</label>
      <Input id={id} value={reason} maxLength={300} onChange={({ target }) => setReason(target.value)} />
      {apply.error && <Alert type="error" role="alert" title={errorMessage(apply.error)} />}
      <RefusalGroups label="Refused" groups={refused} />
    </Modal>
  )
}
