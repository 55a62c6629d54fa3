import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { recordsOf } from '../api/queryClient.ts'

// One save can arrive as several messages.
const PAUSE_MS = 250
// Without messages from the server, the records are refetched this often.
const REFRESH_MS = 30_000

type Signal = (listen: () => void) => () => void

/** Refetches the records of an endpoint when the server reports a change, and periodically. */
export function useLiveRefresh(endpoint: Endpoint, signal: Signal): void {
  const queries = useQueryClient()
  const records = recordsOf(endpoint)
  useEffect(() => {
    let due: ReturnType<typeof setTimeout> | undefined
    const refresh = () => void queries.invalidateQueries({ queryKey: [records] })
    const stop = signal(() => {
      due ??= setTimeout(() => {
        due = undefined
        refresh()
      }, PAUSE_MS)
    })
    const timer = setInterval(refresh, REFRESH_MS)
    return () => {
      stop()
      clearInterval(timer)
      clearTimeout(due)
    }
  }, [queries, records, signal])
}
