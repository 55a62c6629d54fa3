import { type Outbound, type OutboundAnswer, OutboundError } from '../../../platform/http/outbound.ts'
import {
  externalIdOf,
  normalizeFix,
  numberOf,
  type OdometerReading,
  SourceError,
  timeOf,
  type TrackerFix,
  waitOf,
} from '../../telemetry/index.ts'

export interface SamsaraAccount {
  /** Such as https://api.samsara.com. */
  server: string
  token: string
}

/** A page of the feed of vehicle statistics. */
export interface SamsaraPage {
  fixes: TrackerFix[]
  readings: OdometerReading[]
  /** The ids of the vehicles in it. */
  vehicles: string[]
  endCursor: string
  hasNextPage: boolean
}

/** Samsara knows the cursor no more: cursors expire after 30 days. */
export class CursorExpired extends Error {}

const LARGEST_ANSWER = 32 * 1024 * 1024
const SAID_MOST = 200

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** What Samsara says went wrong: `{ message, requestId }`. Proxies answer with pages of their own. */
function saidBy({ body }: OutboundAnswer): string {
  const { message } = fieldsOf(parse(body))
  return typeof message === 'string' ? ` ${message.slice(0, SAID_MOST)}` : ''
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Whether an answer is a page; otherwise it fails with what to do about it. */
function refuseFailure(answer: OutboundAnswer, cursor: string | undefined): void {
  const { status, headers } = answer
  if (status === 200) return
  const said = saidBy(answer)
  if (status === 401) throw new SourceError('refused', 'Samsara rejected the API token.')
  if (status === 403)
    throw new SourceError('refused', `Samsara's API token lacks the right "Read Vehicle Statistics".${said}`)
  if (status === 429) {
    const waitMs = waitOf(headers['retry-after'])
    throw new SourceError('overLimit', 'Samsara limits the calls of this account.', { waitMs })
  }
  if (cursor && (status === 400 || status === 410)) throw new CursorExpired(said)
  if (status === 408 || status >= 500)
    throw new SourceError('unavailable', `Samsara answered ${status}.`, { waitMs: waitOf(headers['retry-after']) })
  throw new SourceError('rejected', `Samsara answered ${status}.${said}`)
}

/** The readings of a vehicle since the cursor. Of each statistic there are as many as there were. */
function readVehicle(vehicle: unknown): Pick<SamsaraPage, 'fixes' | 'readings'> & { id: string | undefined } {
  const { id, gps, obdOdometerMeters } = fieldsOf(vehicle)
  const fixes = listOf(gps).flatMap((each) => {
    const { time, latitude, longitude, headingDegrees, speedMilesPerHour } = fieldsOf(each)
    const sent = { id, time, latitude, longitude, heading: headingDegrees, speed: speedMilesPerHour }
    const read = normalizeFix({ ...sent, unit: 'mph' })
    return 'fix' in read ? [read.fix] : []
  })
  const truck = externalIdOf(id)
  const readings = listOf(obdOdometerMeters).flatMap((each): OdometerReading[] => {
    const { time, value } = fieldsOf(each)
    const [at, metres] = [timeOf(time), numberOf(value)]
    return truck !== undefined && at !== undefined && metres !== null && metres > 0 ? [{ truck, at, metres }] : []
  })
  return { id: truck, fixes, readings }
}

function readPage(body: unknown): SamsaraPage {
  const { data, pagination } = fieldsOf(body)
  const { endCursor, hasNextPage } = fieldsOf(pagination)
  // Without vehicles `data` is null.
  if ((data !== null && !Array.isArray(data)) || typeof endCursor !== 'string')
    throw new SourceError('unavailable', 'Samsara sent an answer that could not be read to its end.')
  const vehicles = listOf(data).map(readVehicle)
  return {
    fixes: vehicles.flatMap(({ fixes }) => fixes),
    readings: vehicles.flatMap(({ readings }) => readings),
    vehicles: vehicles.flatMap(({ id }) => id ?? []),
    endCursor,
    hasNextPage: hasNextPage === true,
  }
}

/** Reads Samsara's feed of vehicle statistics: the newest ones without a cursor, and with one what came since. */
export function samsaraClient({ server, token }: SamsaraAccount, outbound: Outbound) {
  const home = server.replace(/\/+$/, '')
  return {
    async read(cursor: string | undefined, signal?: AbortSignal): Promise<SamsaraPage> {
      const query = new URLSearchParams({ types: 'gps,obdOdometerMeters', ...(cursor && { after: cursor }) })
      const answer = await outbound
        .send({
          url: `${home}/fleet/vehicles/stats/feed?${query.toString()}`,
          method: 'GET',
          headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
          largestAnswer: LARGEST_ANSWER,
          ...(signal && { signal }),
        })
        .catch((error: unknown) => {
          signal?.throwIfAborted()
          if (!(error instanceof OutboundError)) throw error
          throw new SourceError('unavailable', `Samsara can't be reached. ${error.message}`)
        })
      refuseFailure(answer, cursor)
      return readPage(parse(answer.body))
    },
  }
}

export type SamsaraClient = ReturnType<typeof samsaraClient>
