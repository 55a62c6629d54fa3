import { API_BASE } from '@roadshow/contract/platform/constants'
import { qrCode } from './qr-code.ts'

const POLL_MS = 2000
const RETRY_MS = 5000

interface OpenPairing {
  code: string
  secret: string
  expiresAt: string
}

interface Collected {
  state: 'waiting' | 'paired' | 'expired'
  key: string | null
  deviceUid: string | null
}

/** The device that a screen has become. */
export interface PairedDevice {
  key: string
  deviceUid: string
}

async function call<Data>(path: string, body: object, signal: AbortSignal): Promise<Data> {
  const response = await fetch(`${API_BASE}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
    signal,
  })
  if (!response.ok) throw new Error(`The server answered ${response.status}.`)
  return ((await response.json()) as { data: Data }).data
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const paragraph = (className: string, text: string) => {
  const made = document.createElement('p')
  made.className = className
  made.textContent = text
  return made
}

/** `ABCD-EFGH`: two groups are easier to read aloud. */
const grouped = (code: string) => (code.includes('-') ? code : `${code.slice(0, 4)}-${code.slice(4)}`)

/** The screen before it belongs to a truck: a code, which a dispatcher enters in the console. */
export class PairingScreen {
  readonly #screen = document.createElement('main')
  readonly #stop = new AbortController()
  readonly #macAddress: string

  constructor(macAddress: string) {
    this.#macAddress = macAddress
    this.#screen.className = 'pairing'
    this.#say('Connecting to the server …')
    document.body.append(this.#screen)
  }

  /** Shows codes until one is entered. */
  async paired(): Promise<PairedDevice> {
    for (;;) {
      try {
        const paired = await this.#tryCode()
        if (paired) return paired
      } catch (error) {
        if (this.#stop.signal.aborted) throw error
        this.#say('No connection to the server. Trying again …')
        await pause(RETRY_MS)
      }
    }
  }

  close(): void {
    this.#stop.abort()
    this.#screen.remove()
  }

  /** One code, until it is entered or expires. */
  async #tryCode(): Promise<PairedDevice | null> {
    const { signal } = this.#stop
    const opened = await call<OpenPairing>('screen-pairings', { macAddress: this.#macAddress }, signal)
    this.#showCode(grouped(opened.code))
    for (;;) {
      await pause(POLL_MS)
      const { state, key, deviceUid } = await call<Collected>(
        'screen-pairings/collect',
        { secret: opened.secret },
        signal,
      )
      if (key !== null && deviceUid !== null) return { key, deviceUid }
      if (state === 'expired') return null
    }
  }

  #say(text: string): void {
    this.#screen.replaceChildren(paragraph('words', text))
  }

  #showCode(code: string): void {
    const heading = document.createElement('h1')
    heading.className = 'code'
    heading.textContent = code
    const words = document.createElement('div')
    words.className = 'words'
    words.append(
      paragraph('', 'Enter this code in the console: Trucks, your truck, Devices, Pair a screen.'),
      paragraph('quiet', `Screen ${this.#macAddress}`),
    )
    const link = `${location.origin}/trucks?pair=${encodeURIComponent(code)}`
    this.#screen.replaceChildren(heading, qrCode(link, 'QR code that opens the console'), words)
  }
}
