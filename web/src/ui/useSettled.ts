import { useEffect, useState } from 'react'

const TYPING_PAUSE_MS = 300

/** A value as it was when typing last paused. */
export function useSettled<Value>(value: Value, pauseMs = TYPING_PAUSE_MS): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value, pauseMs])
  return settled
}
