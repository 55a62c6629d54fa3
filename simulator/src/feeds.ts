import type { TrackerUpload } from './tracker.ts'

/** The feeds of MyGeotab that hold something here. */
export type FeedName = 'LogRecord' | 'DeviceStatusInfo' | 'StatusData'
export const feedNames: readonly string[] = ['LogRecord', 'DeviceStatusInfo', 'StatusData'] satisfies FeedName[]

/** As MyGeotab writes it: sixteen hexadecimal digits. */
export type FeedVersion = string

export interface FeedRow {
  version: FeedVersion
  /** When it was true, which may be long before it became known. */
  at: number
  geotabId: string
  record: Record<string, unknown>
}

const KEPT = 300_000
const ODOMETER = 'DiagnosticOdometerId'
const IGNITION = 'DiagnosticIgnitionId'

/** Versions tell when something became known, so that they mean the same after a start and on every node. */
const versionAt = (ms: number, count = 0): FeedVersion =>
  ms.toString(16).padStart(11, '0') + count.toString(16).padStart(5, '0')

const instant = (ms: number) => new Date(ms).toISOString()

/** What trackers told, in the order in which it became known. */
export class GeotabFeeds {
  readonly #rows = { LogRecord: [] as FeedRow[], StatusData: [] as FeedRow[] }
  /** Of each device only the newest: older ones are replaced. */
  readonly #statuses = new Map<string, FeedRow & { since: number; isDriving: boolean }>()
  #waiting: TrackerUpload[] = []
  #last = { ms: 0, count: 0 }

  take(upload: TrackerUpload): void {
    this.#waiting.push(upload)
  }

  /** Makes known what has got through until a moment. */
  reach(now: number): void {
    const due = this.#waiting.filter(({ uploadAt }) => uploadAt <= now)
    if (due.length === 0) return
    this.#waiting = this.#waiting.filter(({ uploadAt }) => uploadAt > now)
    due.sort((one, other) => one.uploadAt - other.uploadAt)
    for (const upload of due) this.#add(upload)
    for (const rows of Object.values(this.#rows)) if (rows.length > KEPT * 1.1) rows.splice(0, rows.length - KEPT)
  }

  /** The version of the newest row of all. */
  get version(): FeedVersion {
    return versionAt(this.#last.ms, this.#last.count)
  }

  /** Rows after a version, by version. */
  after(name: FeedName, version: FeedVersion): FeedRow[] {
    if (name === 'DeviceStatusInfo') return this.statuses.filter((row) => row.version > version)
    const rows = this.#rows[name]
    let [low, high] = [0, rows.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((rows[middle]?.version ?? '') <= version) low = middle + 1
      else high = middle
    }
    return rows.slice(low)
  }

  /** Rows from the first one on that was true at a moment or after it; late ones among them may be older. */
  since(name: 'LogRecord' | 'StatusData', ms: number): FeedRow[] {
    const rows = this.#rows[name]
    const first = rows.findIndex(({ at }) => at >= ms)
    return first === -1 ? [] : rows.slice(first)
  }

  /** What is known of each device now, by version. */
  get statuses(): FeedRow[] {
    return [...this.#statuses.values()].toSorted((one, other) => (one.version < other.version ? -1 : 1))
  }

  #add(upload: TrackerUpload): void {
    const { geotabId } = upload
    // Never before what is already known.
    const ms = Math.max(upload.uploadAt, this.#last.ms)
    this.#last = { ms, count: ms === this.#last.ms ? this.#last.count + 1 : 0 }
    const { version } = this
    const device = { id: geotabId }
    switch (upload.kind) {
      case 'log': {
        const { at, latitude, longitude, speedKmh } = upload.log
        const record = { id: `b${version}`, dateTime: instant(at), device, latitude, longitude, speed: speedKmh }
        this.#rows.LogRecord.push({ version, at, geotabId, record })
        break
      }
      case 'reading': {
        const { at, diagnostic, value } = upload
        const id = diagnostic === 'odometer' ? ODOMETER : IGNITION
        const record = { id: `b${version}`, dateTime: instant(at), device, diagnostic: { id }, data: value }
        const row = { version, at, geotabId, record: { ...record, controller: 'ControllerNoneId', version } }
        this.#rows.StatusData.push(row)
        break
      }
      case 'status':
        this.#addStatus(upload, version)
    }
  }

  #addStatus({ geotabId, status }: TrackerUpload & { kind: 'status' }, version: FeedVersion): void {
    const { at, latitude, longitude, speedKmh, heading, isDriving } = status
    const before = this.#statuses.get(geotabId)
    const since = before?.isDriving === isDriving ? before.since : at
    const record = {
      device: { id: geotabId },
      dateTime: instant(at),
      latitude,
      longitude,
      speed: speedKmh,
      bearing: heading,
      isDriving,
      isDeviceCommunicating: true,
      currentStateDuration: formatTimeSpan(at - since),
      driver: 'UnknownDriverId',
      groups: [{ id: 'GroupVehicleId' }],
      exceptionEvents: [],
      isHistoricLastDriver: false,
    }
    this.#statuses.set(geotabId, { version, at, geotabId, since, isDriving, record })
  }
}

const two = (value: number) => String(value).padStart(2, '0')

/** A duration as .NET writes it: `[d.]hh:mm:ss`. */
export function formatTimeSpan(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const days = Math.floor(seconds / 86_400)
  const time = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':')
  return days > 0 ? `${days}.${time}` : time
}
