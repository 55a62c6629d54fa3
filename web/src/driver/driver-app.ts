import { setClockStyle } from '@roadshow/contract/platform/dates'
import type { DriverAppShift, DriverDay } from '@roadshow/contract/live/driver-app'
import { LOGIN_PATH, SAVED_CREDENTIALS } from '@roadshow/contract/platform/constants'
import { ApiError } from '../api/call.ts'
import { clearCookies, goToEnrollment, keepTokenFor, readToken, savedUserUid } from '../api/session.ts'
import { signOut } from '../api/sign-out.ts'
import { StateHolder } from './app-state.ts'
import { takeFirstCall } from './early/first-call.ts'
import { newId } from './ids.ts'
import { forgetPictures, keepPictures } from './pictures.ts'
import { currentPlace } from './place.ts'
import type { DriverDatabase } from './queue/database.ts'
import { isWaiting } from './queue/items.ts'
import type { QueuedAct, QueuedPhoto, QueueItem } from './queue/items.ts'
import { newAct, newItem, PLACE_MS } from './queue/new-item.ts'
import type { NewAct, NewPhoto, NewPicture } from './queue/new-item.ts'
import { failureOf, nextDue, waitMs } from './queue/rules.ts'
import { sendQueue } from './queue/sending.ts'
import type { Transport } from './queue/sending.ts'
import { trueTime } from './queue/shown-day.ts'
import { fetchDay } from './queue/transport.ts'
import { isAllowed } from './queue/wait-rules.ts'
import type { StoppedShift } from './today/summary-rules.ts'

const REFRESH_MS = 60_000
/** A phone closes its browser many times a day; how long a session lasts is up to the server. */
const TOKEN_DAYS = 30
const LOCK = 'roadshow-driver-sending'
/** The draft that holds the stopped shift. */
const STOPPED = 'stopped'
const CHANNEL = 'roadshow-driver'

/** What the app needs of the database of this phone. */
export type PhoneStore = Pick<DriverDatabase, keyof DriverDatabase>

/** The drivers' app behind its pages: keeps the day and the queue, sends, and follows the session. */
export class DriverApp {
  readonly holder = new StateHolder()
  readonly #database: PhoneStore
  readonly #transport: Transport
  readonly #channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(CHANNEL) : undefined
  /** The token whose user the server has named: nothing is sent with another. */
  #confirmedToken: string | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0
  /** How often the day was asked for, and which of these answers is shown: one that comes late is older. */
  #asked = 0
  #shown = 0
  /** Done when nothing of other users is left; nothing new is kept before. */
  #cleared: Promise<void> = Promise.resolve()

  constructor(database: PhoneStore, transport: Transport) {
    this.#database = database
    this.#transport = transport
  }

  get #state() {
    return this.holder.read()
  }

  /** Shows what is kept, then asks the server. The signal ends it. */
  async start(signal = new AbortController().signal): Promise<void> {
    const userUid = savedUserUid()
    this.holder.change({ userUid, isOnline: navigator.onLine })
    this.#listen(signal)
    this.#cleared = this.#clearOthers(userUid)
    if (userUid) await this.#showKept(userUid)
    if (!readToken()) this.holder.change({ session: 'ended', isLoading: false })
    keepTokenFor(TOKEN_DAYS)
    await this.refresh()
  }

  /** Deletes what the server said to other users of this phone. */
  async #clearOthers(userUid: string | undefined): Promise<void> {
    await this.#database.forgetDays(userUid).catch(() => this.holder.change({ isStoreFull: true }))
    await forgetPictures(userUid).catch(() => undefined)
  }

  #listen(signal: AbortSignal): void {
    const wake = () => {
      this.holder.change({ isOnline: navigator.onLine })
      if (navigator.onLine && document.visibilityState === 'visible') void this.refresh()
    }
    addEventListener('online', wake, { signal })
    addEventListener('offline', () => this.holder.change({ isOnline: false }), { signal })
    document.addEventListener('visibilitychange', wake, { signal })
    addEventListener('pageshow', ({ persisted }) => persisted && wake(), { signal })
    const refreshing = setInterval(wake, REFRESH_MS)
    signal.addEventListener('abort', () => {
      clearInterval(refreshing)
      clearTimeout(this.#timer)
      this.#channel?.close()
    })
    this.#channel?.addEventListener('message', () => void this.#reread().then(() => this.#plan()))
  }

  async #showKept(userUid: string): Promise<void> {
    const kept = await this.#database.day(userUid).catch(() => undefined)
    const queue = await this.#database.items(userUid).catch(() => [])
    const stopped = await this.#database.draft<StoppedShift>(userUid, STOPPED).catch(() => undefined)
    setClockStyle(kept?.day.driver.clock ?? '12h')
    this.holder.change({
      queue,
      stopped,
      ...(kept && {
        day: kept.day,
        loadedAt: kept.askedAt,
        clockOffsetMs: kept.clockOffsetMs,
        isLoading: false,
      }),
    })
  }

  /** Reads the queue again, which another tab or the sending has changed. */
  async #reread(): Promise<void> {
    const { userUid } = this.#state
    if (userUid) this.holder.change({ queue: await this.#database.items(userUid) })
  }

  async #changed(): Promise<void> {
    this.#channel?.postMessage('changed')
    await this.#reread()
  }

  /** Asks the server for the day, then sends what waits. */
  refresh = async (): Promise<void> => {
    await this.#loadDay()
    await this.send()
  }

  async #loadDay(): Promise<void> {
    const token = readToken()
    if (!token) return this.holder.change({ session: 'ended', isLoading: false })
    const turn = ++this.#asked
    const made = takeFirstCall(token)
    const askedAt = made?.askedAt ?? Date.now()
    try {
      const day = await fetchDay(made)
      if (turn < this.#shown) return
      this.#shown = turn
      // Half the way there and back is how old the server's time is on arrival.
      const clockOffsetMs = Date.parse(day.serverTime) - (askedAt + (made?.answeredAt ?? Date.now())) / 2
      if (this.#state.userUid !== day.driver.uid) await this.#become(day.driver.uid)
      this.#confirmedToken = token
      setClockStyle(day.driver.clock ?? '12h')
      this.holder.change({
        day,
        loadedAt: askedAt,
        clockOffsetMs,
        session: 'open',
        isOnline: true,
        isLoading: false,
      })
      await this.#database.keepDay(day.driver.uid, { day, askedAt, clockOffsetMs })
      await this.#dropShown(askedAt)
      await this.#freeAllowed(day)
      void this.#cleared.then(() => keepPictures(day))
    } catch (error) {
      if (turn >= this.#shown) this.#noteFailedLoad(error)
    } finally {
      this.holder.change({ isLoading: false })
    }
  }

  #noteFailedLoad(error: unknown): void {
    if (!(error instanceof ApiError)) return this.holder.change({ isStoreFull: true })
    if (error.code === 'secondFactorNeeded') return goToEnrollment()
    const failure = failureOf(error.status)
    if (failure === 'signedOut') this.holder.change({ session: 'ended' })
    if (failure === 'forbidden') this.holder.change({ session: 'otherRole' })
    if (error.status === 0) this.holder.change({ isOnline: false })
  }

  /** Another user is signed in than this page thought: what it shows is theirs alone. */
  async #become(userUid: string): Promise<void> {
    localStorage.setItem(SAVED_CREDENTIALS, JSON.stringify({ userUid }))
    this.holder.change({ userUid, day: undefined, queue: [], stopped: undefined })
    await this.#clearOthers(userUid)
    await this.#showKept(userUid)
  }

  /** Drops what was sent before the day was asked for: the day shows it now. */
  async #dropShown(askedAt: number): Promise<void> {
    const shown = this.#state.queue.filter(({ state, sentAt }) => state === 'sent' && (sentAt ?? 0) < askedAt)
    for (const item of shown) await this.#database.remove(item)
    if (shown.length > 0) await this.#changed()
  }

  /** What the account may send again need not wait for its next turn. */
  async #freeAllowed(day: DriverDay): Promise<void> {
    const freed = this.#state.queue.filter((item) => item.isForbidden && day.may && isAllowed(item, day.may))
    for (const item of freed) await this.#database.put({ ...item, isForbidden: false, nextAt: 0 })
    if (freed.length > 0) await this.#changed()
  }

  /** Sends what is due. Of several tabs one sends at a time. */
  send = async (): Promise<void> => {
    const locks = 'locks' in navigator ? navigator.locks : undefined
    if (!locks) return this.#sendAlone()
    await locks.request(LOCK, { ifAvailable: true }, (lock) => (lock ? this.#sendAlone() : undefined))
  }

  #isSendingHere = false

  async #sendAlone(): Promise<void> {
    if (this.#isSendingHere) return
    this.#isSendingHere = true
    clearTimeout(this.#timer)
    try {
      await this.#sendDue()
      await this.#plan()
    } catch {
      // Calls that fail are noted on their items: this is a phone that keeps nothing.
      this.holder.change({ isStoreFull: true })
    } finally {
      this.#isSendingHere = false
      this.holder.change({ isSending: false })
    }
  }

  async #sendDue(): Promise<void> {
    const { userUid } = this.#state
    if (!userUid || !(await this.#database.items(userUid)).some(isWaiting)) return
    if (readToken() !== this.#confirmedToken) await this.#loadDay()
    // A page whose user was changed by another tab sends nothing: its queue belongs to the one before.
    const isSignedIn = () => this.#isConfirmed(userUid)
    if (!isSignedIn()) return
    this.holder.change({ isSending: true })
    const result = await sendQueue({
      userUid,
      store: this.#database,
      transport: this.#transport,
      now: Date.now,
      isSignedIn,
      onChange: () => void this.#changed(),
    })
    this.#failures = result === 'away' ? this.#failures + 1 : 0
    if (result === 'signedOut') this.holder.change({ session: 'ended' })
    await this.#changed()
    if (this.#state.queue.some(({ state }) => state === 'sent')) await this.#loadDay()
  }

  #isConfirmed(userUid: string): boolean {
    const token = readToken()
    return token !== undefined && token === this.#confirmedToken && this.#state.userUid === userUid
  }

  /** Sets the clock for the next try. */
  async #plan(): Promise<void> {
    const { userUid, session } = this.#state
    const due = userUid && session === 'open' ? nextDue(await this.#database.items(userUid)) : undefined
    if (due === undefined) return
    const wait = Math.max(due - Date.now(), this.#failures > 0 ? waitMs(this.#failures) : 0, 250)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.send(), wait)
  }

  async #add(item: QueueItem, pictures: { id: string; blob: Blob }[]): Promise<void> {
    try {
      await this.#database.add(item, pictures)
    } catch (error) {
      this.holder.change({ isStoreFull: true })
      throw error
    }
    // Asked for with the first thing that must not be lost: browsers then do not clear the storage by themselves.
    void navigator.storage?.persist?.().catch(() => undefined)
    await this.#changed()
  }

  get #signedIn(): string {
    const { userUid } = this.#state
    if (!userUid) throw new Error('No user is signed in.')
    return userUid
  }

  /** Keeps what the driver has done, shows it at once and sends it as soon as it can. False if the phone is full. */
  act = async (shift: DriverAppShift, done: NewAct, pictures: readonly NewPicture[] = []): Promise<boolean> => {
    const { queued, blobs } = newAct(this.#signedIn, shift, done, pictures)
    const isKept = await this.#add(queued, blobs).then(
      () => true,
      () => false,
    )
    if (isKept && done.kind === 'stop') await this.#keepStopped(shift, queued.addedAt)
    if (isKept) void this.#addPlace(queued)
    return isKept
  }

  async #keepStopped(shift: DriverAppShift, stoppedAtOfPhone: number): Promise<void> {
    const { uid, date, zone, truck, startsAt, endsAt, startedAt, contacts } = shift
    const stoppedAt = new Date(trueTime(stoppedAtOfPhone, this.#state.clockOffsetMs)).toISOString()
    const stopped: StoppedShift = { uid, date, zone, truck, startsAt, endsAt, startedAt, contacts, stoppedAt }
    this.holder.change({ stopped })
    await this.keepDraft(STOPPED, stopped).catch(() => undefined)
  }

  /** The driver has seen the summary of the stopped shift. */
  dismissSummary = async (): Promise<void> => {
    this.holder.change({ stopped: undefined })
    await this.keepDraft(STOPPED, undefined).catch(() => undefined)
  }

  async #addPlace(item: QueuedAct): Promise<void> {
    const place = await currentPlace(PLACE_MS - 500)
    await this.#database.put({ ...item, act: { ...item.act, place }, nextAt: 0 })
    await this.send()
  }

  /** Keeps a photo of the campaign and sends it as soon as it can. Answers its id in the queue. */
  addPhoto = async (shift: DriverAppShift, { blob, ...photo }: NewPhoto): Promise<string> => {
    const pictureId = newId()
    const queued: QueuedPhoto = { ...newItem(this.#signedIn, shift), ...photo, kind: 'photo', pictureId }
    await this.#add(queued, [{ id: pictureId, blob }])
    void this.send()
    return queued.id
  }

  picture = (id: string): Promise<Blob | undefined> => this.#database.picture(id)

  /** Sends something that was refused or failed again. */
  retry = async (item: QueueItem): Promise<void> => {
    await this.#database.put({ ...item, state: 'waiting', problem: null, reason: '', isForbidden: false, nextAt: 0 })
    await this.#changed()
    this.#failures = 0
    await this.send()
  }

  /** Sends an act whose pictures cannot be sent. */
  sendWithoutPictures = async (item: QueuedAct): Promise<void> => {
    await this.#database.remove(item)
    await this.#database.add({ ...item, pictures: [] }, [])
    await this.retry({ ...item, pictures: [] })
  }

  /** Only after the driver was asked. */
  remove = async (item: QueueItem): Promise<void> => {
    await this.#database.remove(item)
    await this.#changed()
  }

  draft = async <T>(name: string): Promise<T | undefined> =>
    this.#state.userUid ? this.#database.draft<T>(this.#state.userUid, name) : undefined

  keepDraft = async (name: string, draft: unknown): Promise<void> => {
    const { userUid } = this.#state
    if (!userUid) return
    if (draft === undefined) await this.#database.dropDraft(userUid, name)
    else await this.#database.keepDraft(userUid, name, draft)
  }

  /** Leads to the sign-in page and back here. The queue stays. */
  signIn = (): void => {
    clearCookies()
    location.assign(`${LOGIN_PATH}?next=${encodeURIComponent(location.pathname + location.search)}`)
  }

  /** Forgets what the server said. What waits in the queue stays for the same user, who was asked. */
  signOut = async (): Promise<void> => {
    await this.#database.forgetDays().catch(() => undefined)
    await forgetPictures(undefined)
    await signOut()
  }
}
