import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { BodyOf } from '@roadshow/contract/platform/endpoint'
import { call, errorMessage } from '../../api/call.ts'
import { useRefreshAfter } from '../../api/useSave.ts'
import { useNotice } from '../../ui/notices.tsx'

/** Undoes a save of shifts, and says so. */
export function useUndo() {
  const refresh = useRefreshAfter(shifts.board)
  const notice = useNotice()
  return async (act: BodyOf<typeof shiftPlanChanges.undo>, said: string): Promise<boolean> => {
    try {
      await call(shiftPlanChanges.undo, { body: act })
      notice(`Undone: ${said}`)
      return true
    } catch (error) {
      notice(errorMessage(error), 'bad')
      return false
    } finally {
      refresh()
    }
  }
}
