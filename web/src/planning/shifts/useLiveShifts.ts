import { shifts } from '@roadshow/contract/planning/shifts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { recordsOf } from '../../api/queryClient.ts'
import { onShiftsChanged } from '../../api/socket.ts'

// A plan that is saved in one go arrives as several messages.
const PAUSE_MS = 250

const isOfMany = ({ queryKey }: { queryKey: readonly unknown[] }) => !String(queryKey[1]).includes('{uid}')

// A shift becomes late, and a phone offline, without a word from the server.
const REFRESH_MS = 120_000

/** Refetches every list of shifts when shifts between two days change; without days, when any change; and now and then. */
export function useLiveShifts(from?: string, to?: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refetch = () => {
      for (const call of [shifts.board, shifts.byDriver])
        void queries.invalidateQueries({ queryKey: [recordsOf(call)], predicate: isOfMany })
    }
    const stop = onShiftsChanged((days) => {
      if ((to !== undefined && days.from > to) || (from !== undefined && days.to < from)) return
      clearTimeout(timer)
      timer = setTimeout(refetch, PAUSE_MS)
    })
    const refreshing = setInterval(() => document.visibilityState === 'visible' && refetch(), REFRESH_MS)
    return () => {
      clearTimeout(timer)
      clearInterval(refreshing)
      stop()
    }
  }, [queries, from, to])
}
