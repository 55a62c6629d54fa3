import { useCallback, useEffect, useState } from 'react'

export interface Loaded<T> {
  data: T | undefined
  hasFailed: boolean
  reload: () => Promise<void>
}

/** Loads something when a page opens, and again on demand. What was loaded stays while it is loaded again. */
export function useLoaded<T>(load: () => Promise<T>, key: string): Loaded<T> {
  const [found, setFound] = useState<{ key: string; data?: T; hasFailed: boolean }>({ key, hasFailed: false })
  const run = useCallback(
    async (isCurrent: () => boolean) => {
      try {
        const data = await load()
        if (isCurrent()) setFound({ key, data, hasFailed: false })
      } catch {
        if (isCurrent()) setFound((before) => ({ ...before, key, hasFailed: true }))
      }
    },
    // The key says what is loaded; the function is a new one at each drawing.
    // oxlint-disable-next-line react/exhaustive-deps
    [key],
  )
  useEffect(() => {
    let isOpen = true
    void run(() => isOpen)
    return () => {
      isOpen = false
    }
  }, [run])
  const isOfKey = found.key === key
  return {
    data: isOfKey ? found.data : undefined,
    hasFailed: isOfKey && found.hasFailed,
    reload: () => run(() => true),
  }
}
