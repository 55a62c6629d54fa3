import { useCallback, useEffect, useRef, useState } from 'react'

export interface Loaded<T> {
  data: T | undefined
  /** The last attempt failed. Data from an earlier attempt for the same key stays. */
  hasFailed: boolean
  reload: () => Promise<void>
}

interface Found<T> {
  key: string
  data?: T
  hasFailed: boolean
}

/** Loads what the key names when a page opens, and again on demand. Only the newest attempt for the present key counts. */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [found, setFound] = useState<Found<T>>({ key, hasFailed: false })
  const newestAttempt = useRef(0)
  const reload = useCallback(
    async () => {
      newestAttempt.current += 1
      const attempt = newestAttempt.current
      const change = (to: (before: Found<T>) => Found<T>) => {
        if (attempt === newestAttempt.current) setFound(to)
      }
      try {
        const data = await load()
        change(() => ({ key, data, hasFailed: false }))
      } catch {
        change((before) => ({ ...(before.key === key && before), key, hasFailed: true }))
      }
    },
    // The key says what is loaded; the function is a new one at each drawing.
    // oxlint-disable-next-line react/exhaustive-deps
    [key],
  )
  useEffect(() => {
    void reload()
    return () => {
      newestAttempt.current += 1
    }
  }, [reload])
  return found.key === key
    ? { data: found.data, hasFailed: found.hasFailed, reload }
    : { data: undefined, hasFailed: false, reload }
}
