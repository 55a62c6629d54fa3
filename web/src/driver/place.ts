import type { PhonePlace } from './queue/items.ts'

const OLDEST_MS = 30_000

/** Where the phone is. Null if it does not know, may not say, or takes longer than this. */
export function currentPlace(patienceMs: number): Promise<PhonePlace> {
  return new Promise((resolve) => {
    if (!('geolocation' in navigator)) return resolve(null)
    const timer = setTimeout(() => resolve(null), patienceMs)
    const end = (place: PhonePlace) => {
      clearTimeout(timer)
      resolve(place)
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => end({ latitude, longitude, accuracyM: accuracy }),
      () => end(null),
      { enableHighAccuracy: true, timeout: patienceMs, maximumAge: OLDEST_MS },
    )
  })
}
