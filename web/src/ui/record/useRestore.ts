import type { ThingInTheWay } from '@roadshow/contract/platform/in-the-way'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, call, errorMessage } from '../../api/call.ts'
import { refreshAfter } from '../../api/live.ts'
import { useNotice } from '../notices.tsx'
import type { RestoreCall } from './records.ts'

/** Restores a deleted record, and says so or why it can't be: a record that it needs can be restored first. */
export function useRestore() {
  const queries = useQueryClient()
  const notice = useNotice()
  /** Restores a record that another one needs, and then that one. */
  const restoreNeeded = async ({ act, name }: ThingInTheWay, afterwards: () => Promise<boolean>) => {
    if (act?.kind !== 'restore') return false
    // Loaded when it is needed: it holds the calls of every kind of record.
    const { deletableRecords } = await import('@roadshow/contract/console/deletable-records')
    return (await restore(deletableRecords[act.record].restore, act.uid, name)) && afterwards()
  }
  /** Answers whether the record is back. */
  const restore = async (endpoint: RestoreCall, uid: string, name: string): Promise<boolean> => {
    try {
      await call(endpoint, { params: { uid } })
      notice(`${name} restored.`)
      return true
    } catch (error) {
      const needed = (error instanceof ApiError && error.inTheWay) || []
      notice(
        errorMessage(error),
        'bad',
        needed
          .filter(({ act }) => act?.kind === 'restore')
          .map((thing) => ({
            label: `Restore ${thing.name} first`,
            onAct: () => void restoreNeeded(thing, () => restore(endpoint, uid, name)),
          })),
      )
      return false
    } finally {
      refreshAfter(queries, endpoint)
    }
  }
  return restore
}
