import { useEffect, useState } from 'react'

const MINUTE_MS = 60_000

/** The time, anew every minute unless told otherwise: what goes on and what can be started changes while nobody touches the page. */
export function useNow(everyMs = MINUTE_MS): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
