import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Brings focus back to where a drawer was opened from, as soon as it closes. The drawer's own way waits for the end of
 * its motion, and would by then take the focus from wherever the user has gone on to.
 */
export function useFocusReturn(open: boolean): void {
  const opener = useRef<Element>(null)
  useLayoutEffect(() => {
    if (open) opener.current = document.activeElement
  }, [open])
  useEffect(() => {
    if (open || !(opener.current instanceof HTMLElement)) return
    opener.current.focus({ preventScroll: true })
    opener.current = null
  }, [open])
}
