import { DRIVER_PATH } from '@roadshow/contract/platform/constants'
import { useEffect } from 'react'

const CHECK_MS = 30 * 60_000

/** Pages in which an update now would lose what is being typed or photographed. */
const busy = new Set<symbol>()

/** Marks a page as one that must not be loaded again now. Hands back the way to end it. */
function holdUpdates(): () => void {
  const hold = Symbol()
  busy.add(hold)
  return () => void busy.delete(hold)
}

/**
 * Keeps the page as it is while something is typed or photographed: the phone's own camera hides the page, which is
 * otherwise the moment for an update.
 */
export const useNoUpdates = (isHeld = true): void => useEffect(() => (isHeld ? holdUpdates() : undefined), [isHeld])

/** Installs the worker for starts without network. A new build takes over while the page is not looked at. */
export async function startUpdates(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  const isFirst = serviceWorker.controller === null
  let isAsked = false
  serviceWorker.addEventListener('controllerchange', () => {
    // The first worker takes over the page that installed it, which is of the same build.
    if (!isFirst || isAsked) location.reload()
  })
  const options = { scope: DRIVER_PATH, updateViaCache: 'none' } as const
  const registration = await serviceWorker.register(`${DRIVER_PATH}/service-worker.js`, options)
  const takeOver = () => {
    if (!registration.waiting || busy.size > 0) return
    isAsked = true
    registration.waiting.postMessage('takeOver', { transfer: [] })
  }
  // Right at the start nothing is typed yet.
  if (!isFirst) takeOver()
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') takeOver()
    else void registration.update().catch(() => undefined)
  })
  setInterval(() => void registration.update().catch(() => undefined), CHECK_MS)
}
