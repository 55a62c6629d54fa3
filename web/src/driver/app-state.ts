import type { DriverDay } from '@roadshow/contract/live/driver-app'
import type { QueueItem } from './queue/items.ts'
import type { StoppedShift } from './today/summary-rules.ts'

/**
 * `unknown` until the server has answered, `ended` when it said so or no token is left, `otherRole` for a user who is no
 * driver or has no access to shifts.
 */
type SessionState = 'unknown' | 'open' | 'ended' | 'otherRole'

/** Everything the pages show. */
export interface AppState {
  userUid: string | undefined
  session: SessionState
  /** As the server had it last. */
  day: DriverDay | undefined
  /** When that was, by the phone's clock. */
  loadedAt: number | undefined
  clockOffsetMs: number
  queue: QueueItem[]
  isOnline: boolean
  isLoading: boolean
  isSending: boolean
  /** The shift that the driver stopped last on this phone, until its summary is dismissed. */
  stopped: StoppedShift | undefined
  /** The phone refused to keep something: no space, or a private window. */
  isStoreFull: boolean
}

const emptyState: AppState = {
  userUid: undefined,
  session: 'unknown',
  day: undefined,
  loadedAt: undefined,
  clockOffsetMs: 0,
  queue: [],
  isOnline: true,
  isLoading: true,
  isSending: false,
  stopped: undefined,
  isStoreFull: false,
}

/** Holds the state of the app and says when it changes. */
export class StateHolder {
  #state = emptyState
  readonly #listeners = new Set<() => void>()

  read = (): AppState => this.#state

  change(part: Partial<AppState>): void {
    this.#state = { ...this.#state, ...part }
    for (const listener of this.#listeners) listener()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
