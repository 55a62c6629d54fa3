import { type DriverIssue, type DriverShift, reportedIssueKinds } from '@roadshow/contract'
import { type DeviceAccess, DeviceLink } from './device-link.ts'
import type { SendPhoto } from './driver-photos.ts'
import { Outbox } from './outbox.ts'
import type { PlannedShift } from './plan.ts'
import { seededRandom } from './seeded.ts'
import type { SimulatedTruck } from './truck.ts'

const MINUTE = 60_000
const FORGETS = 0.03
const REPORTS = 0.08
const HEALTH_MS = 5 * MINUTE
const PHOTOS = 3

const REMARKS: Record<(typeof reportedIssueKinds)[number], string[]> = {
  mechanical: ['Brakes squeal when cold.', 'Warning light of the generator is on.', 'Left rear tyre loses air.'],
  screen: ['One panel on the rear side flickers.', 'Driver side is darker than the other one.'],
  accident: ['Mirror touched a post in a narrow street; only a scratch.'],
  other: ['Road closed for a parade, taking another way.', 'Police asked us to move on from the square.'],
}

interface Options extends DeviceAccess {
  truck: SimulatedTruck
  seed: string
  /** Sends photos; without it the driver takes none. */
  sendPhoto: SendPhoto | undefined
}

/** The driver app: starts and stops shifts about on time, takes photos, and sometimes reports an issue. */
export class SimulatedDriver {
  readonly #truck: SimulatedTruck
  readonly #seed: string
  readonly #sendPhoto: SendPhoto | undefined
  readonly #link: DeviceLink
  readonly #shifts = new Outbox<DriverShift>('driver-shift', ({ eventId }) => eventId)
  readonly #issues = new Outbox<DriverIssue>('driver-issue', ({ eventId }) => eventId)
  /** The events already reported: an outdated plan must not cause a second report. */
  readonly #reported = new Set<string>()
  #healthAt = 0

  constructor({ truck, seed, sendPhoto, ...access }: Options) {
    this.#truck = truck
    this.#sendPhoto = sendPhoto
    this.#seed = `${seed} driver ${truck.planned.number}`
    this.#link = new DeviceLink('driver', access, () => void this.#link.request('get-driver-data'))
  }

  get wantsLink(): boolean {
    return this.#link.isIdle
  }

  open(): void {
    this.#link.open()
  }

  close(): void {
    this.#link.close()
  }

  tick(now: number): void {
    for (const shift of this.#truck.planned.shifts) this.#follow(shift, now)
    if (!this.#link.isOpen) return
    if (this.#shifts.length > 0) void this.#shifts.flush(this.#link)
    if (this.#issues.length > 0) void this.#issues.flush(this.#link)
    if (Date.now() >= this.#healthAt) void this.#tellHealth()
  }

  #follow(shift: PlannedShift, now: number): void {
    const chance = seededRandom(`${this.#seed} ${shift.startsAt}`)
    const forgets = chance.is(FORGETS)
    const startAt = shift.startsAt + chance.between(-4, 5) * MINUTE
    const stopAt = shift.endsAt + chance.between(0, 7) * MINUTE
    const issueAt = chance.is(REPORTS) ? chance.between(startAt, shift.endsAt) : Infinity
    if (forgets) return
    // A shift that started and ended while the app was off is reported afterwards, start first.
    if (shift.status === 'planned' && now >= startAt) this.#report(shift, 'start', startAt)
    if (shift.status !== 'completed' && now >= stopAt) this.#report(shift, 'stop', stopAt)
    const isNew = now >= issueAt && now < issueAt + MINUTE
    if (isNew) this.#complain(shift, issueAt)
    for (let photo = 0; photo < PHOTOS; photo++) {
      const photoAt = chance.between(startAt, shift.endsAt)
      if (now >= photoAt && now < photoAt + MINUTE) this.#takePhoto(shift, photo)
    }
  }

  #report(shift: PlannedShift, kind: 'start' | 'stop', at: number): void {
    const eventId = `${kind}-${shift.uid}`
    if (this.#reported.has(eventId)) return
    this.#reported.add(eventId)
    this.#shifts.add([{ eventId, shiftUid: shift.uid, kind, at: new Date(at).toISOString() }])
  }

  #complain(shift: PlannedShift, at: number): void {
    const eventId = `issue-${shift.uid}`
    if (this.#reported.has(eventId)) return
    this.#reported.add(eventId)
    const chance = seededRandom(`${this.#seed} remark ${shift.startsAt}`)
    const kind = chance.oneOf(reportedIssueKinds) ?? 'other'
    this.#issues.add([{ eventId, kind, text: chance.oneOf(REMARKS[kind]) ?? '', at: new Date(at).toISOString() }])
  }

  #takePhoto(shift: PlannedShift, photo: number): void {
    const eventId = `photo-${photo}-${shift.uid}`
    const { place } = this.#truck
    if (!this.#sendPhoto || !place || this.#reported.has(eventId)) return
    this.#reported.add(eventId)
    void this.#sendPhoto(shift, place)
  }

  async #tellHealth(): Promise<void> {
    this.#healthAt = Date.now() + HEALTH_MS
    await this.#link.request('device-health', { at: new Date().toISOString(), gpsFix: true, appVersion: 'simulator 1' })
  }
}
