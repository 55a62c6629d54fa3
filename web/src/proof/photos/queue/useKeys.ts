import { useEffectEvent, useLayoutEffect } from 'react'

/** Keys and what each does. Letters are lower case. */
type Keys = Readonly<Record<string, () => void>>

const isTypedInto = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName) ||
    target.closest('dialog, [role="dialog"]') !== null)

/** Acts on single keys, as long as nothing is typed into and no dialog is open. */
export function useKeys(keys: Keys) {
  const onPress = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTypedInto(event.target)) return
    const act = keys[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  })
  // Before the page is drawn: a key counts for what is seen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => onPress(event)
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
