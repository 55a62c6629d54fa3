import { useQueryClient } from '@tanstack/react-query'
import { call, errorMessage } from '../../api/call.ts'
import { refreshAfter } from '../../api/live.ts'
import { useNotice } from '../notices.tsx'
import type { RestoreCall } from './records.ts'

/** Restores a deleted record, and says so or why it can't be. Answers whether it is back. */
export function useRestore() {
  const queries = useQueryClient()
  const notice = useNotice()
  return async (restore: RestoreCall, uid: string, name: string): Promise<boolean> => {
    try {
      await call(restore, { params: { uid } })
      notice(`${name} restored.`)
      return true
    } catch (error) {
      notice(errorMessage(error), 'bad')
      return false
    } finally {
      refreshAfter(queries, restore)
    }
  }
}
