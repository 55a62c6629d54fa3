import { fleet } from '@roadshow/contract/live/fleet'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { keyOf } from '../../api/queryClient.ts'
import { onFleetUpdate, onIssuesChanged, onShiftsChanged } from '../../api/socket.ts'

// Without a word from the server, everything is asked for this often.
const REFRESH_MS = 30_000
// One save can arrive as several messages.
const PAUSE_MS = 250
// Trucks move all the time; miles and plays need not follow each second.
const MOVED_MS = 10_000

/** Refetches the lists and figures of the overview when their data changes. */
export function useRefresh(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const due = new Map<Endpoint, { at: number; timer: ReturnType<typeof setTimeout> }>()
    const soon = (afterMs: number, ...calls: Endpoint[]) => {
      for (const call of calls) {
        const at = Date.now() + afterMs
        const planned = due.get(call)
        if (planned && planned.at <= at) continue
        clearTimeout(planned?.timer)
        const timer = setTimeout(() => {
          due.delete(call)
          void queries.invalidateQueries({ queryKey: keyOf(call).slice(0, 2) })
        }, afterMs)
        due.set(call, { at, timer })
      }
    }
    const stops = [
      onFleetUpdate(() => soon(MOVED_MS, fleet.figures, fleet.shifts)),
      onShiftsChanged(() => soon(PAUSE_MS, fleet.figures, fleet.shifts)),
      onIssuesChanged(() => soon(PAUSE_MS, fleet.figures, fleet.issues, fleet.issue)),
    ]
    const timer = setInterval(() => soon(0, fleet.figures, fleet.shifts, fleet.issues), REFRESH_MS)
    return () => {
      clearInterval(timer)
      stops.forEach((stop) => stop())
      due.forEach(({ timer }) => clearTimeout(timer))
    }
  }, [queries])
}
