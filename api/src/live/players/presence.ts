import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { recordDeviceContact } from '../../catalog/devices/index.ts'
import type { App } from '../../platform/http/app.ts'
import type { ClientSocket, SocketServer } from '../../platform/sockets/index.ts'
import { devicesOf } from './plan-pushes.ts'

// A player counts as offline after a minute at the soonest.
const EVERYBODY_EVERY_MS = 30_000
const NEWS_EVERY_MS = 1000

/** Notes which devices are in touch and what players last played: now and then, for all of them at once. */
export function keepTouch(app: App, io: SocketServer) {
  const { db } = app.kernel
  // When each truck's player began what it last played; nothing for one that is just there.
  let news = new Map<string, number | undefined>()
  const fresh = new Set<string>()
  let everybodyAt = -Infinity
  let isBusy = false

  function noteEverybody(): void {
    everybodyAt = performance.now()
    for (const { data } of devicesOf(io)) if (data.device) note(data)
  }

  async function write(): Promise<void> {
    const [devices, trucks] = [[...fresh], news]
    fresh.clear()
    news = new Map()
    try {
      if (devices.length > 0) await recordDeviceContact(db, devices)
    } finally {
      const done = trucks.size > 0 ? await playersSeen(db, trucks) : new Set()
      // Rows that somebody else is writing are left for the next time.
      for (const [truckUid, at] of trucks) if (!done.has(truckUid)) played(truckUid, at)
    }
  }

  function played(truckUid: string, at: number | undefined): void {
    const known = news.get(truckUid)
    news.set(truckUid, known !== undefined && (at === undefined || at < known) ? known : at)
  }

  function note({ device, clientType }: Pick<ClientSocket['data'], 'device' | 'clientType'>): void {
    if (!device) return
    fresh.add(device.uid)
    if (clientType !== 'driver') played(device.truckUid, undefined)
  }

  const timer = setInterval(() => {
    if (isBusy) return
    if (performance.now() - everybodyAt >= EVERYBODY_EVERY_MS) noteEverybody()
    if (fresh.size + news.size === 0) return
    isBusy = true
    app.kernel.inBackground(write().finally(() => (isBusy = false)))
  }, NEWS_EVERY_MS)
  timer.unref()

  return { note, played, close: () => clearInterval(timer) }
}

/** Writes what players of trucks did, the newest wins; answers for which trucks it could. Waits for nobody. */
async function playersSeen(db: Db, trucks: ReadonlyMap<string, number | undefined>): Promise<Set<string>> {
  const uids = [...trucks.keys()].toSorted()
  const times = uids.map((uid) => trucks.get(uid))
  await sql`insert into truck_now (truck_uid)
            select uid from unnest(${uids}::uuid[]) uid
             where not exists (select 1 from truck_now where truck_uid = uid) order by uid
            on conflict do nothing`.execute(db)
  const { rows } = await sql<{ truck_uid: string }>`
    with free as (
      select truck_uid from truck_now where truck_uid = any(${uids}::uuid[]) order by truck_uid for update skip locked
    )
    update truck_now n
       set player_seen_at = now(), updated_at = clock_timestamp(),
           played_at = greatest(n.played_at, to_timestamp(g.ms / 1000))
      from free join unnest(${uids}::uuid[], ${times}::float8[]) g (truck_uid, ms) on g.truck_uid = free.truck_uid
     where n.truck_uid = free.truck_uid
    returning n.truck_uid`.execute(db)
  return new Set(rows.map(({ truck_uid }) => truck_uid))
}
