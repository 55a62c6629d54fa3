import { hostname } from 'node:os'
import { stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { LATE_MINUTES } from '@roadshow/contract'
import { sql } from 'kysely'
import { readSettings } from '../../catalog/settings/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { databaseFolder } from '../../platform/db/database-folder.ts'
import { defineWatch, eventCondition, type FoundEvent, raisedSubjects } from '../../platform/watcher/index.ts'
import { isFillingUp, type Space } from './rules.ts'

/** The space of the disk that holds a folder. */
type DiskSpace = Space & { disk: number }

/** Shifts that began longer ago than this are history. */
const RECENT = sql`interval '2 days'`

/** Shifts that should have started this many minutes ago and have not. */
async function unstartedShifts<Kind extends string>(db: Db, kind: Kind, minutes: number, now: number) {
  const at = new Date(now)
  const { rows } = await sql<{ shiftUid: string; clientUid: string }>`
    select s.uid as "shiftUid", p.client_uid as "clientUid"
      from shift s join client_program p on p.uid = s.program_uid
     where s.status = 'planned' and s.deleted_at is null and s.starts_at > ${at}::timestamptz - ${RECENT}
       and s.starts_at <= ${at}::timestamptz - make_interval(mins => ${minutes})`.execute(db)
  return rows.map(({ shiftUid, clientUid }) => ({ kind, subject: `shift ${shiftUid}`, clientUid, data: { shiftUid } }))
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
async function offlinePlayers(db: Db, now: number): Promise<FoundEvent<'device.offline'>[]> {
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
  return rows.map((data) => ({ kind: 'device.offline', subject: `device ${data.deviceUid}`, data }))
}

/** Photos wait this long before anyone is notified. */
const PHOTO_WAITS = sql`interval '30 minutes'`

async function waitingPhotos(db: Db, now: number): Promise<FoundEvent<'photo.waiting'>[]> {
  const { rows } = await sql<{ programUid: string; clientUid: string; program: string; photos: number }>`
    select p.uid as "programUid", p.client_uid as "clientUid", p.name as program, count(*)::int as photos
      from pop_photo o join client_program p on p.uid = o.program_uid
     where o.status = 'waiting' and o.deleted_at is null and p.deleted_at is null
     group by p.uid having min(o.created_at) < ${new Date(now)}::timestamptz - ${PHOTO_WAITS}`.execute(db)
  return rows.map(({ clientUid, ...data }) => ({
    kind: 'photo.waiting',
    subject: `program ${data.programUid}`,
    clientUid,
    data,
  }))
}

/** Looks at shifts that should have started. */
export const startWatch = defineWatch({
  name: 'starts',
  every: '30s',
  conditions: { 'shift.late': eventCondition('shift.lateOver'), 'shift.noShow': eventCondition() },
  async find({ db, now }) {
    const { noShowAfterMinutes } = await readSettings(db)
    const late = await unstartedShifts(db, 'shift.late', LATE_MINUTES, now)
    return [...late, ...(await unstartedShifts(db, 'shift.noShow', noShowAfterMinutes, now))]
  },
})

/** Looks at what changes slowly: players and photos. */
export const recordWatch = defineWatch({
  name: 'records',
  every: '5m',
  conditions: { 'device.offline': eventCondition('device.online'), 'photo.waiting': eventCondition() },
  find: async ({ db, now }) => [...(await offlinePlayers(db, now)), ...(await waitingPhotos(db, now))],
})

async function spaceOf(folder: string): Promise<DiskSpace | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, total: blocks * bsize, disk: (await stat(folder)).dev }
  } catch {
    // The folder does not exist here: files are in a storage account, whose quota can't be known.
    return undefined
  }
}

/** Looks at the disks of this node's data folder, of its files, and of a database on this machine. */
export const watchStorage = (readSpace = spaceOf) => {
  const ofNode = `storage ${hostname()} `
  const kind = 'storage.filling'
  return defineWatch<FoundEvent<typeof kind>>({
    name: 'storage',
    every: '5m',
    ofNode,
    conditions: { [kind]: eventCondition('storage.freed') },
    async find({ db, env: { dataDir } }) {
      const known = await raisedSubjects(db, kind)
      const filling: FoundEvent<typeof kind>[] = []
      const seen = new Set<number>()
      const folders = [...(dataDir ? [dataDir, path.join(dataDir, 'blobs')] : []), await databaseFolder(db)]
      for (const folder of folders.filter((each) => each !== undefined)) {
        const space = await readSpace(folder)
        // The files usually are on the disk of the data folder: one message says it.
        if (!space || seen.has(space.disk)) continue
        seen.add(space.disk)
        const subject = ofNode + folder
        const data = { host: hostname(), folder, freeBytes: space.free, totalBytes: space.total }
        if (isFillingUp(space, known.has(subject))) filling.push({ kind, subject, data })
      }
      return filling
    },
  })
}
