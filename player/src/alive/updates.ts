import { PLAYER_PATH } from '@roadshow/contract/platform/constants'

const CHECK_MS = 15 * 60_000

/** Installs the worker for starts without network, and notices a new build. */
export class Updates {
  #registration: ServiceWorkerRegistration | undefined
  /** A newer build than the running one is installed. */
  isWaiting = false

  async start(): Promise<void> {
    if (!('serviceWorker' in navigator)) return
    // The first worker ever takes over the page that it belongs to.
    const isFirst = navigator.serviceWorker.controller === null
    let changes = 0
    navigator.serviceWorker.addEventListener('controllerchange', () => {
      changes++
      this.isWaiting = !isFirst || changes > 1
    })
    const options: RegistrationOptions = { scope: PLAYER_PATH, type: 'module', updateViaCache: 'none' }
    this.#registration = await navigator.serviceWorker.register(`${PLAYER_PATH}/service-worker.js`, options)
    setInterval(() => void this.check(), CHECK_MS)
  }

  async check(): Promise<void> {
    await this.#registration?.update().catch(() => undefined)
  }
}
