import type { DeviceCommand, DeviceCommandAnswer } from '@roadshow/contract/live/device-events'
import type { Picture } from '../picture/picture.ts'
import { screenPicture } from '../picture/screen-picture.ts'

const PATTERN_SECONDS = 60
const REMEMBERED = 50

interface CommandHost {
  picture: Picture
  /** No spots are shown or counted meanwhile. */
  hold(isHeld: boolean): void
  now(): number
  downloadAgain(): Promise<void>
  setSound(isOn: boolean): void
  restart(): void
}

/** Carries out commands from the console. One that arrives twice is carried out once and answered twice. */
export class Commands {
  readonly #host: CommandHost
  readonly #answers = new Map<string, Promise<DeviceCommandAnswer>>()
  #uncover: ReturnType<typeof setTimeout> | undefined

  constructor(host: CommandHost) {
    this.#host = host
  }

  run(command: DeviceCommand): Promise<DeviceCommandAnswer> {
    const known = this.#answers.get(command.commandUid)
    if (known) return known
    const answer = this.#carryOut(command).catch((error: unknown): DeviceCommandAnswer => {
      return { result: 'refused', reason: String(error).slice(0, 300) }
    })
    this.#answers.set(command.commandUid, answer)
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > REMEMBERED && oldest !== undefined) this.#answers.delete(oldest)
    return answer
  }

  async #carryOut({ kind, expiresAt, seconds }: DeviceCommand): Promise<DeviceCommandAnswer> {
    if (this.#host.now() > Date.parse(expiresAt)) return { result: 'refused', reason: 'The command came too late.' }
    switch (kind) {
      case 'showScreen':
        return { result: 'done', picture: await screenPicture(this.#host.picture) }
      case 'restart':
      case 'reload':
        // The answer leaves before the page does.
        this.#host.restart()
        break
      case 'download':
        await this.#host.downloadAgain()
        break
      case 'testPattern':
        this.#cover('pattern', seconds ?? PATTERN_SECONDS)
        break
      case 'blank':
        this.#cover('blank', seconds)
        break
      case 'volumeOff':
      case 'volumeOn':
        this.#host.setSound(kind === 'volumeOn')
        break
      default:
        return { result: 'refused', reason: 'This player does not know the command.' }
    }
    return { result: 'done' }
  }

  /** Covers the artwork for some seconds; without a number until the next such command. */
  #cover(cover: 'pattern' | 'blank', seconds: number | null): void {
    clearTimeout(this.#uncover)
    const uncover = () => {
      this.#host.picture.cover(null)
      this.#host.hold(false)
    }
    if (seconds === 0) return uncover()
    this.#host.hold(true)
    this.#host.picture.cover(cover)
    if (seconds !== null) this.#uncover = setTimeout(uncover, seconds * 1000)
  }
}
