import { addDays, daysBetween } from '@roadshow/contract/planning/shift-time'
import { MAX_BOARD_DAYS, shifts } from '@roadshow/contract/planning/shifts'
import { Modal } from 'antd'
import { useMemo } from 'react'
import { useCall } from '../../../api/useCall.ts'
import { useList } from '../../../api/useList.ts'
import { useNotice } from '../../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { indexBoard } from '../board/boardModel.ts'
import PlanChangeDialog from '../board/changes/PlanChangeDialog.tsx'
import { usePlanChanges } from '../board/changes/usePlanChanges.ts'
import { useUndo } from '../useUndo.ts'
import type { ShiftsDialogProps, ShiftsInTheWay } from './inTheWayDialog.ts'

// An address takes no more.
const AT_ONCE = 100

/** The days of the shifts in the way, at most as many as a board shows. */
function useDays({ shifts: some }: ShiftsInTheWay) {
  const uids = some.filter(({ isPlanned }) => isPlanned).map(({ uid }) => uid)
  const found = useList(shifts.list, { uid: uids.slice(0, AT_ONCE), pageSize: String(AT_ONCE), sort: 'startsAt' })
  const dates = found.data?.data.map(({ date }) => date)
  const [first, last] = [dates?.[0], dates?.at(-1)]
  if (first === undefined || last === undefined) return { found, days: undefined, uids }
  const most = MAX_BOARD_DAYS - 3
  const to = daysBetween(first, last) > most ? addDays(first, most) : last
  return { found, days: { from: addDays(first, -1), to: addDays(to, 1) }, uids }
}

/** Moves the shifts in the way, as the board does. */
export default function MoveInTheWay({ inTheWay, onDone, onClose }: ShiftsDialogProps) {
  const { found, days, uids } = useDays(inTheWay)
  const board = useCall(shifts.board, { query: days ?? { from: '', to: '' } }, { enabled: days !== undefined })
  const index = useMemo(() => board.data && indexBoard(board.data), [board.data])
  const { apply, refetch } = usePlanChanges()
  const notice = useNotice()
  const undo = useUndo()
  const finish = (undoUid: string | null, text: string) => {
    notice(text, 'done', undoUid === null ? [] : [{ label: 'Undo', onAct: () => void undo({ uid: undoUid }, text) }])
    refetch()
  }
  if (index) {
    const some = uids.flatMap((uid) => index.shifts.get(uid) ?? [])
    return (
      <PlanChangeDialog
        kind="move"
        shifts={some}
        index={index}
        planChanges={{ apply, finish }}
        onClose={onClose}
        onDone={onDone}
      />
    )
  }
  const failed = found.isError ? found : board.isError ? board : undefined
  return (
    <Modal open centered title="Move shifts" footer={null} onCancel={onClose}>
      {failed ? <ErrorState error={failed.error} onRetry={() => void failed.refetch()} /> : <SkeletonLines rows={3} />}
    </Modal>
  )
}
