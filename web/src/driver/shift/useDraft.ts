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
  const start = useRef(empty)
  useEffect(() => {
    let isShown = true
    const load = async () => {
      const kept = await app.draft<T>(name).catch(() => undefined)
      if (isShown) setDraft(kept ?? start.current)
    }
    void load()
    return () => {
      isShown = false
    }
  }, [app, name])
  const change = useCallback(
    (change: DraftChange<T>) =>
      setDraft((kept) => {
        const before = kept ?? start.current
        const after = { ...before, ...(typeof change === 'function' ? change(before) : change) }
        void app.keepDraft(name, after).catch(() => undefined)
        return after
      }),
    [app, name],
  )
  const drop = useCallback(() => app.keepDraft(name, undefined).catch(() => undefined), [app, name])
  return { draft, change, drop }
}
