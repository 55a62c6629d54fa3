import type {
  BatchAck,
  DeviceCommand,
  DeviceCommandAnswer,
  DeviceHealth,
  DeviceToServer,
  Play,
  PlayerData,
  ServerToDevice,
  TruckPosition,
} from '@roadshow/contract/live/device-events'
import { io, type Socket } from 'socket.io-client'

const ANSWER_MS = 15_000
// A server that is restarted or busy refuses a whole fleet at once.
const REFUSED_RETRY_MS = 10_000
const REFUSED = new Set(['deviceUnknown', 'deviceKey', 'deviceRevoked', 'deviceKind'])

export interface LinkEvents {
  onConnect(): void
  onManifest(manifest: PlayerData): void
  onPosition(position: TruckPosition): void
  onCommand(command: DeviceCommand): Promise<DeviceCommandAnswer>
  /** The key is worth nothing any more. */
  onEnded(): void
}

/** The connection of a screen to the server. */
export class ScreenLink {
  readonly #socket: Socket<ServerToDevice, DeviceToServer>
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(access: { macAddress: string; key: string }, events: LinkEvents) {
    this.#socket = io({
      transports: ['websocket'],
      auth: { clientType: 'player-web', ...access },
      reconnectionDelay: 2000,
      reconnectionDelayMax: 30_000,
      // Spreads the reconnects of a whole fleet.
      randomizationFactor: 0.9,
    })
    this.#socket.on('connect', () => events.onConnect())
    this.#socket.on('connect_error', (error: Error & { data?: { code?: string } }) => {
      if (REFUSED.has(error.data?.code ?? '')) this.#end(events)
      else this.#connectAgain()
    })
    this.#socket.on('disconnect', () => this.#connectAgain())
    this.#socket.on('device-ended', () => this.#end(events))
    this.#socket.on('get-player-data-web', (manifest) => events.onManifest(manifest))
    this.#socket.on('truck-position', (position) => events.onPosition(position))
    this.#socket.on('device-command', (command, answer) => void events.onCommand(command).then(answer))
  }

  get isOpen(): boolean {
    return this.#socket.connected
  }

  close(): void {
    clearTimeout(this.#retry)
    this.#socket.removeAllListeners()
    this.#socket.disconnect()
  }

  /** The manifest of this moment; undefined if no answer came. */
  manifest(): Promise<PlayerData | undefined> {
    return answered(this.#socket.timeout(ANSWER_MS).emitWithAck('get-player-data-web'))
  }

  sendPlays(plays: Play[]): Promise<BatchAck | undefined> {
    // Nothing is left to the socket's own buffer: a batch that was not answered is sent again from the store.
    if (!this.isOpen) return Promise.resolve(undefined)
    return answered(this.#socket.timeout(ANSWER_MS).emitWithAck('player-plays', plays))
  }

  async sendHealth(health: DeviceHealth): Promise<void> {
    if (this.isOpen) await answered(this.#socket.timeout(ANSWER_MS).emitWithAck('device-health', health))
  }

  /** A connection that the server refuses or ends, unlike one that is lost, is not tried again by the library. */
  #connectAgain(): void {
    if (this.#socket.active) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#socket.connect(), REFUSED_RETRY_MS * (0.5 + Math.random()))
  }

  #end(events: LinkEvents): void {
    this.close()
    events.onEnded()
  }
}

/** A server that does not answer, or cannot, is asked again later. */
async function answered<Reply extends object>(
  asking: Promise<Reply>,
): Promise<Exclude<Reply, { error: string }> | undefined> {
  try {
    const reply = await asking
    return 'error' in reply ? undefined : (reply as Exclude<Reply, { error: string }>)
  } catch {
    return undefined
  }
}
