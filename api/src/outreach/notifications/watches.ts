import { hostname } from 'node:os'
import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { LATE_MINUTES } from '@roadshow/contract'
import { sql } from 'kysely'
import { readSettings } from '../../catalog/settings/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { linesBehind, programsBehind } from '../../proof/delivery/index.ts'
import { type Condition, knownConditions, watchConditions } from './conditions.ts'
import { isBehind, isFillingUp, type Space } from './condition-rules.ts'

/** The space of the disk that holds a folder. */
type DiskSpace = Space & { disk: number }

/** Shifts that began longer ago than this are history. */
const RECENT = sql`interval '2 days'`

/** Shifts that should have started this many minutes ago and have not. */
async function unstartedShifts(db: Db, minutes: number, now: number): Promise<Condition[]> {
  const at = new Date(now)
  const { rows } = await sql<{ shiftUid: string; clientUid: string }>`
    select s.uid as "shiftUid", p.client_uid as "clientUid"
      from shift s join client_program p on p.uid = s.program_uid
     where s.status = 'planned' and s.deleted_at is null and s.starts_at > ${at}::timestamptz - ${RECENT}
       and s.starts_at <= ${at}::timestamptz - make_interval(mins => ${minutes})`.execute(db)
  return rows.map(({ shiftUid, clientUid }) => ({ object: `shift ${shiftUid}`, clientUid, data: { shiftUid } }))
}

/** A player that was not in touch for this long before a shift may not play on it. */
const OFFLINE = sql`interval '24 hours'`

interface OfflinePlayer {
  deviceUid: string
  truckUid: string
  truck: string
  seenAt: string
  startsAt: string
  zone: string
}

/** Players that are offline although their truck has a shift soon. On a shift an issue says so. */
async function offlinePlayers(db: Db, now: number): Promise<Condition[]> {
  const at = new Date(now)
  const { rows } = await sql<OfflinePlayer>`
    select d.uid as "deviceUid", t.uid as "truckUid", t.number as truck, seen.seen_at as "seenAt", next.starts_at as "startsAt",
           next.zone
      from device d join truck t on t.uid = d.truck_uid join device_seen seen on seen.device_uid = d.uid
     cross join lateral (
       select s.starts_at, s.zone from shift s
        where s.truck_uid = t.uid and s.status = 'planned' and s.deleted_at is null
          and s.starts_at > ${at}::timestamptz and s.starts_at < ${at}::timestamptz + ${OFFLINE}
        order by s.starts_at limit 1) next
     where d.kind = 'player' and d.paired_at is not null and d.revoked_at is null and d.deleted_at is null
       and t.deleted_at is null and seen.seen_at < ${at}::timestamptz - ${OFFLINE}`.execute(db)
  return rows.map((data) => ({ object: `device ${data.deviceUid}`, data }))
}

/** Photos wait this long before anyone is notified. */
const PHOTO_WAITS = sql`interval '30 minutes'`

async function waitingPhotos(db: Db, now: number): Promise<Condition[]> {
  const { rows } = await sql<{ programUid: string; clientUid: string; program: string; photos: number }>`
    select p.uid as "programUid", p.client_uid as "clientUid", p.name as program, count(*)::int as photos
      from pop_photo o join client_program p on p.uid = o.program_uid
     where o.status = 'waiting' and o.deleted_at is null and p.deleted_at is null
     group by p.uid having min(o.created_at) < ${new Date(now)}::timestamptz - ${PHOTO_WAITS}`.execute(db)
  return rows.map(({ clientUid, ...data }) => ({ object: `program ${data.programUid}`, clientUid, data }))
}

/** Programs with booked lines that are behind, by the numbers that every screen shows. */
async function bookedProgramsBehind(db: Db, now: number): Promise<Condition[]> {
  const behind = await programsBehind(db, 'all', now)
  const uids = behind.map(({ program }) => program.uid)
  const { rows } = await sql<{ uid: string; clientUid: string }>`
    select uid, client_uid as "clientUid" from client_program where uid = any(${uids}::uuid[])`.execute(db)
  const clientOf = new Map(rows.map(({ uid, clientUid }) => [uid, clientUid]))
  return behind.map((found) => ({
    object: `program ${found.program.uid}`,
    clientUid: clientOf.get(found.program.uid) ?? null,
    data: {
      programUid: found.program.uid,
      program: found.program.name,
      pace: found.pace,
      lines: linesBehind(found).map(({ line, delivered, expected, pace, forecast, through }) => ({
        lineUid: line.uid,
        market: line.market.name,
        unit: line.unit,
        amount: line.amount,
        startsOn: line.startsOn,
        endsOn: line.endsOn,
        delivered,
        expected,
        pace,
        forecast,
        through,
      })),
    },
  }))
}

/** Running programs without booked lines of whose shift hours planned until now less than 90% were driven. */
async function unbookedProgramsBehind(db: Db, now: number): Promise<Condition[]> {
  const known = await knownConditions(db, 'delivery.behind')
  const { rows } = await sql<{
    programUid: string
    clientUid: string
    program: string
    plannedHours: number
    drivenHours: number
  }>`
    select p.uid as "programUid", p.client_uid as "clientUid", p.name as program,
           (sum(extract(epoch from s.ends_at - s.starts_at)) / 3600)::float8 as "plannedHours",
           (sum(case when s.status = 'completed' then
              extract(epoch from least(s.stopped_at - s.started_at, s.ends_at - s.starts_at)) else 0 end) / 3600)::float8
             as "drivenHours"
      from client_program p join shift s on s.program_uid = p.uid
     where p.status = 'active' and p.deleted_at is null and s.deleted_at is null and s.status <> 'cancelled'
       and not exists (select from booked_line b where b.program_uid = p.uid)
       and s.ends_at <= ${new Date(now)}::timestamptz
     group by p.uid`.execute(db)
  return rows
    .filter(({ programUid, plannedHours, drivenHours }) =>
      isBehind({ planned: plannedHours, driven: drivenHours }, known.has(`program ${programUid}`)),
    )
    .map(({ clientUid, ...data }) => ({
      object: `program ${data.programUid}`,
      clientUid,
      data: {
        ...data,
        plannedHours: Math.round(data.plannedHours * 10) / 10,
        drivenHours: Math.round(data.drivenHours * 10) / 10,
      },
    }))
}

/** Looks at shifts that should have started. */
export async function watchStarts(db: Db, now: number): Promise<void> {
  const { noShowAfterMinutes } = await readSettings(db)
  const late = { type: 'shift.late', overType: 'shift.lateOver' }
  await watchConditions(db, late, await unstartedShifts(db, LATE_MINUTES, now))
  await watchConditions(db, { type: 'shift.noShow' }, await unstartedShifts(db, noShowAfterMinutes, now))
}

/** Looks at what changes slowly: players, photos and programs. */
export async function watchRecords(db: Db, now: number): Promise<void> {
  await watchConditions(db, { type: 'device.offline', overType: 'device.online' }, await offlinePlayers(db, now))
  await watchConditions(db, { type: 'photo.waiting' }, await waitingPhotos(db, now))
  const behind = [...(await bookedProgramsBehind(db, now)), ...(await unbookedProgramsBehind(db, now))]
  await watchConditions(db, { type: 'delivery.behind' }, behind)
}

async function spaceOf(folder: string): Promise<DiskSpace | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize, disk: (await stat(folder)).dev }
  } catch {
    // The folder does not exist here: files are in a storage account, whose quota can't be known.
    return undefined
  }
}

/** Looks at the disks of this node's data folder and of its files. */
export async function watchStorage(db: Db, dataDir: string, readSpace = spaceOf): Promise<void> {
  const known = await knownConditions(db, 'storage.filling')
  const node = `storage ${hostname()}`
  const holding: Condition[] = []
  const seen = new Set<number>()
  for (const folder of [dataDir, path.join(dataDir, 'blobs')]) {
    const space = await readSpace(folder)
    // The files usually are on the disk of the data folder: one message says it.
    const object = `${node} ${folder}`
    if (!space || seen.has(space.disk)) continue
    seen.add(space.disk)
    if (isFillingUp(space, known.has(object))) {
      holding.push({ object, data: { host: hostname(), folder, freeBytes: space.free, totalBytes: space.total } })
    }
  }
  await watchConditions(db, { type: 'storage.filling', overType: 'storage.freed', within: node }, holding)
}

export const watchStartsJob = defineJob('watch-starts', ({ db, now }) => watchStarts(db, now))

export const watchRecordsJob = defineJob('watch-records', ({ db, now }) => watchRecords(db, now))

export const watchStorageJob = defineJob('watch-storage', async ({ db, env }) =>
  env.dataDir ? watchStorage(db, env.dataDir) : undefined,
)
