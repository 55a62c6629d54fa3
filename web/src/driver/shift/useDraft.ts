import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from '../context.ts'

/** What changes, or how it follows from the draft of that moment: a picture is ready a while after it was chosen. */
type DraftChange<T> = Partial<T> | ((before: T) => Partial<T>)

/**
 * What is typed or photographed but not done yet. It outlasts a page that the phone closes. Undefined until it is known
 * whether something was kept.
 */
export function useDraft<T>(name: string, empty: T) {
  const app = useApp()
  const [draft, setDraft] = useState<T>()
  const newest = useRef(empty)
  useEffect(() => {
    let isShown = true
    const load = async () => {
      const kept = await app.draft<T>(name).catch(() => undefined)
      if (!isShown) return
      newest.current = kept ?? newest.current
      setDraft(newest.current)
    }
    void load()
    return () => {
      isShown = false
    }
  }, [app, name])
  const change = useCallback(
    (change: DraftChange<T>) => {
      const before = newest.current
      newest.current = { ...before, ...(typeof change === 'function' ? change(before) : change) }
      setDraft(newest.current)
      void app.keepDraft(name, newest.current).catch(() => undefined)
    },
    [app, name],
  )
  const drop = useCallback(() => app.keepDraft(name, undefined).catch(() => undefined), [app, name])
  return { draft, change, drop }
}
