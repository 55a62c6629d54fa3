import {
  type adLog,
  DAY_MS,
  type ExportFormat,
  type Page,
  playReasonLabel,
  popGradeLabel,
  type QueryOf,
  truckSideLabel,
  type UnassignedPlay,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { dayOf } from '../../platform/db/partitions.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { Download } from '../../platform/http/download.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { dayColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { exportSheet, ROW_ZONES } from '../../platform/spreadsheet/sheet.ts'
import type { PlayStores } from './archive/stores.ts'
import { daysWithPlays, IS_LATE_PLAY, notesOfOldPlays, pageOf, streamPlays } from './log.ts'
import type { PlayFilter } from './play-filter.ts'

type Query = QueryOf<typeof adLog.unassigned>

/** The day a week ago, for a query that names no day. */
const aWeekAgo = async (db: Db): Promise<string> => dayOf((await sharedNow(db)) - 7 * DAY_MS)

const list = {
  columns: sql.raw(`p.device_uid || ' ' || p.play_id as uid, p.started_at as "startedAt", p.day,
    coalesce(zone_on(m.zone, m.earlier_zones, p.day), 'UTC') as zone, json_build_object('uid', t.uid, 'name', t.number) as truck, p.side,
    json_build_object('uid', w.uid, 'name', w.name) as artwork, json_build_object('uid', g.uid, 'name', g.name) as program,
    json_build_object('uid', c.uid, 'name', c.name) as client, p.duration_ms as "durationMs", p.latitude, p.longitude,
    p.grade, p.reason, p.sequence, p.received_at as "receivedAt", ${IS_LATE_PLAY} as "isLate"`),
  joins: sql.raw(`join truck t on t.uid = p.truck_uid left join market m on m.uid = t.home_market_uid
    join artwork_set w on w.uid = p.artwork_set_uid join client_program g on g.uid = p.program_uid
    join client c on c.uid = g.client_uid`),
}

const sheet = {
  name: 'unassigned-plays',
  columns: {
    Day: dayColumn(({ day }: UnassignedPlay) => day),
    Time: timeColumn(
      ({ startedAt }: UnassignedPlay) => startedAt,
      ({ zone }) => zone,
    ),
    Zone: ({ zone }: UnassignedPlay) => zone,
    Truck: ({ truck }: UnassignedPlay) => truck.name,
    Side: ({ side }: UnassignedPlay) => truckSideLabel[side],
    Client: ({ client }: UnassignedPlay) => client.name,
    Program: ({ program }: UnassignedPlay) => program.name,
    'Artwork set': ({ artwork }: UnassignedPlay) => artwork.name,
    Seconds: ({ durationMs }: UnassignedPlay) => durationMs / 1000,
    Grade: ({ grade }: UnassignedPlay) => popGradeLabel[grade],
    Reason: ({ reason }: UnassignedPlay) => (reason ? playReasonLabel[reason] : ''),
    Number: ({ sequence }: UnassignedPlay) => sequence,
  },
}

/** Plays that belong to no shift, as a page or a file. Clients are not shown what other programs played. */
export async function pageOfUnassigned(
  stores: PlayStores,
  scope: Scope,
  query: Query,
): Promise<Page<UnassignedPlay> | Download> {
  if (scope.rows !== 'all') throw new AppError('forbidden')
  const { format, ...rest } = query
  const filter: PlayFilter = { ...rest, from: query.from ?? (await aWeekAgo(stores.db)), isUnassigned: true }
  return format ? exportUnassigned(stores, filter, format) : pageOf<UnassignedPlay>(stores, filter, list)
}

async function exportUnassigned(stores: PlayStores, query: PlayFilter, format: ExportFormat): Promise<Download> {
  const { search, from, to, truck } = query
  const filters = [
    ...(search ? [`search: ${search}`] : []),
    `from: ${from}`,
    ...(to ? [`to: ${to}`] : []),
    ...(truck ? [`trucks: ${truck.length}`] : []),
  ]
  const days = [from, to].filter((day) => day !== undefined)
  const filename = exportFileName({ name: sheet.name, days })
  const notes = await notesOfOldPlays(stores.db, query, 'UTC')
  const about = { filters, zone: ROW_ZONES, now: new Date(), notes, filename }
  const selection = { query, days: await daysWithPlays(stores.db, query) }
  return exportSheet(format, sheet, streamPlays<UnassignedPlay>(stores, selection, list), about)
}
