import { useEffect, useRef, useState } from 'react'
import { fixAt } from './moment-rules.ts'
import type { PositionFix } from './moment-rules.ts'

/** `refused` is the driver's or the phone's choice, which settings can change; `unknown` is a receiver without a signal. */
type PositionState = 'searching' | 'known' | 'refused' | 'unknown'

export interface PositionWatch {
  state: PositionState
  /** How far off the last position may be; null where there is none. */
  accuracyM: number | null
  /** The position to record at a moment of the phone's clock. */
  read: (at: number) => PositionFix | null
}

const OPTIONS: PositionOptions = { enableHighAccuracy: true, maximumAge: 5000, timeout: 20_000 }
// A phone that lies still tells no new position by itself, and the last one would grow too old.
const ASK_AGAIN_MS = 30_000

/** Follows where the phone is while a page is open. */
export function usePositionWatch(): PositionWatch {
  const last = useRef<PositionFix>(undefined)
  const [state, setState] = useState<PositionState>('geolocation' in navigator ? 'searching' : 'unknown')
  const [accuracyM, setAccuracyM] = useState<number | null>(null)
  useEffect(() => {
    if (!('geolocation' in navigator)) return undefined
    const hear = ({ coords: { latitude, longitude, accuracy } }: GeolocationPosition) => {
      // The time of the browser's own position may follow another clock.
      last.current = { latitude, longitude, accuracyM: accuracy, at: Date.now() }
      setState('known')
      setAccuracyM(accuracy)
    }
    const fail = ({ code, PERMISSION_DENIED }: GeolocationPositionError) => {
      if (fixAt(last.current, Date.now())) return
      setState(code === PERMISSION_DENIED ? 'refused' : 'unknown')
      setAccuracyM(null)
    }
    const watch = navigator.geolocation.watchPosition(hear, fail, OPTIONS)
    const timer = setInterval(() => navigator.geolocation.getCurrentPosition(hear, fail, OPTIONS), ASK_AGAIN_MS)
    return () => {
      navigator.geolocation.clearWatch(watch)
      clearInterval(timer)
    }
  }, [])
  return { state, accuracyM, read: (at) => fixAt(last.current, at) }
}
