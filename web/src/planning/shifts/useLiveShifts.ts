import { shifts } from '@roadshow/contract/planning/shifts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { recordsOf } from '../../api/queryClient.ts'
import { onShiftsChanged } from '../../api/socket.ts'

// A plan that is saved in one go arrives as several messages.
const PAUSE_MS = 250

const isOfMany = ({ queryKey }: { queryKey: readonly unknown[] }) => !String(queryKey[1]).includes('{uid}')

/** Refetches every list of shifts when shifts between two days change; without days, when any change. */
export function useLiveShifts(from?: string, to?: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onShiftsChanged((days) => {
      if ((to !== undefined && days.from > to) || (from !== undefined && days.to < from)) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        for (const call of [shifts.board, shifts.byDriver])
          void queries.invalidateQueries({ queryKey: [recordsOf(call)], predicate: isOfMany })
      }, PAUSE_MS)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [queries, from, to])
}
