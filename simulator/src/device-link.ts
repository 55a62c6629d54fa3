import type { PlayerData } from '@roadshow/contract'
import { io, type Socket } from 'socket.io-client'

export interface DeviceAccess {
  /** Where the API listens. */
  url: string
  mac: string
  key: string
}

type ClientType = 'player' | 'driver'

const ANSWER_MS = 15_000
const REFUSED = new Set(['deviceUnknown', 'deviceKey', 'deviceRevoked'])

/** The connection of a device to the server, over the socket that real devices use. */
export class DeviceLink {
  readonly #socket: Socket
  /** The server refused its key, so it does not reconnect. */
  isRefused = false

  constructor(clientType: ClientType, { url, mac, key }: DeviceAccess, onConnect: () => void) {
    this.#socket = io(url, {
      transports: ['websocket'],
      auth: { clientType, macAddress: mac, key },
      autoConnect: false,
      forceNew: true,
      reconnectionDelay: 2000,
      reconnectionDelayMax: 30_000,
      // Spreads the reconnects of a whole fleet.
      randomizationFactor: 0.9,
    })
    this.#socket.on('connect', onConnect)
    this.#socket.on('connect_error', (error: Error & { data?: { code?: string } }) => {
      if (REFUSED.has(error.data?.code ?? '')) this.#refuse()
    })
    this.#socket.on('device-ended', () => this.#refuse())
  }

  get isOpen(): boolean {
    return this.#socket.connected
  }

  /** Whether it is neither connected nor connecting. */
  get isIdle(): boolean {
    return !this.#socket.active && !this.isRefused
  }

  open(): void {
    if (this.isIdle) this.#socket.connect()
  }

  close(): void {
    this.#socket.disconnect()
  }

  /** Subscribes to an event that the server sends by itself. */
  on(event: 'get-player-data', listener: (data: PlayerData) => void): void {
    this.#socket.on(event, listener)
  }

  /** Sends an event and waits for the reply; undefined if none came or the server failed. */
  async request<T extends object>(event: string, ...payload: unknown[]): Promise<T | undefined> {
    if (!this.isOpen) return undefined
    try {
      const answer = (await this.#socket.timeout(ANSWER_MS).emitWithAck(event, ...payload)) as T | { error: string }
      return 'error' in answer ? undefined : answer
    } catch {
      return undefined
    }
  }

  #refuse(): void {
    this.isRefused = true
    this.close()
  }
}
