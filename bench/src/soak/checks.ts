import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import pg from 'pg'
import type { Findings, PromisedRecord } from './findings.ts'

export interface Losses {
  records: string[]
  doubled: string[]
  plays: number
  promisedPlays: number
  doubledPlays: number
  hours: number
  addressHours: number
  totals: string[]
}

const NOTHING = `'00000000-0000-0000-0000-000000000000'::uuid`

/** Rows that are in one and not in the other, either way round. */
const difference = (one: string, other: string) => `
  select count(*)::int as count from ((select * from (${one}) a except all select * from (${other}) b)
  union all (select * from (${other}) b except all select * from (${one}) a)) d`

const HOURS_COUNTED = `
  select date_trunc('hour', started_at), truck_uid, coalesce(shift_uid, ${NOTHING}), program_uid,
         coalesce(market_uid, ${NOTHING}), day, side, count(*)::bigint, sum(duration_ms)::bigint,
         (count(*) filter (where grade = 'verified'))::bigint, (count(*) filter (where grade = 'conflict'))::bigint,
         (count(*) filter (where reason = 'noTrack'))::bigint, count(address_uid)::bigint
    from play group by 1, 2, 3, 4, 5, 6, 7`
const HOURS_KEPT = `
  select hour, truck_uid, shift_uid, program_uid, market_uid, day, side, plays::bigint, duration_ms::bigint,
         verified::bigint, conflict::bigint, no_track::bigint, for_address::bigint from play_hour`

const ADDRESSES_COUNTED = `
  select date_trunc('hour', started_at), truck_uid, program_uid, market_uid, day, address_uid, count(*)::bigint,
         sum(duration_ms)::bigint
    from play where address_uid is not null and market_uid is not null group by 1, 2, 3, 4, 5, 6`
const ADDRESSES_KEPT = `
  select hour, truck_uid, program_uid, market_uid, day, address_uid, plays::bigint, duration_ms::bigint from play_address_hour`

/** Compares what the load was promised with what the database holds. */
export async function findLosses(databaseUrl: string, ledger: string, findings: Findings): Promise<Losses> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const count = async (text: string) => (await client.query<{ count: number }>(text)).rows[0]?.count ?? NaN
  try {
    const promisedPlays = await readLedger(client, ledger)
    return {
      records: await lostRecords(client, findings.records),
      doubled: await doubledNames(client, findings.names),
      promisedPlays,
      plays: await count(`
        select count(*)::int as count from promised q join device d on d.mac_address = q.mac and d.deleted_at is null
         where not exists (select from play p where p.device_uid = d.uid and p.play_id = q.play_id)`),
      doubledPlays: await count(`
        select count(*)::int as count from (
          select from play group by device_uid, play_id having count(*) > 1) twice`),
      hours: await count(difference(HOURS_COUNTED, HOURS_KEPT)),
      addressHours: await count(difference(ADDRESSES_COUNTED, ADDRESSES_KEPT)),
      totals: await wrongTotals(client),
    }
  } finally {
    await client.end()
  }
}

const AT_ONCE = 20_000

async function readLedger(client: pg.Client, ledger: string): Promise<number> {
  await client.query('create temp table promised (mac text, play_id text)')
  let [macs, ids, total]: [string[], string[], number] = [[], [], 0]
  const write = async () => {
    await client.query('insert into promised select * from unnest($1::text[], $2::text[])', [macs, ids])
    total += macs.length
    ;[macs, ids] = [[], []]
  }
  for await (const line of createInterface({ input: createReadStream(ledger) })) {
    const [mac, id] = line.split(' ')
    // The last line may have been cut when the load was ended.
    if (!mac || !id) continue
    macs.push(mac)
    ids.push(id)
    if (macs.length >= AT_ONCE) await write()
  }
  await write()
  await client.query('analyze promised')
  return total
}

interface Found {
  uid: string
  version: number
  note: string
  is_deleted: boolean
}

async function lostRecords(client: pg.Client, records: ReadonlyMap<string, PromisedRecord>): Promise<string[]> {
  const found = new Map<string, Found>()
  for (const table of ['truck', 'client', 'shift']) {
    const { rows } = await client.query<Found>(
      `select uid, version, note, deleted_at is not null as is_deleted from ${table} where uid = any($1)`,
      [[...records.keys()]],
    )
    for (const row of rows) found.set(row.uid, row)
  }
  return [...records].flatMap(([uid, kept]) => {
    const row = found.get(uid)
    if (!row) return [`${kept.table} ${uid} is not there`]
    if (kept.isDeleted !== row.is_deleted) return [`${kept.table} ${uid} ${row.is_deleted ? 'is' : 'is not'} deleted`]
    const isAsTold = kept.isDeleted || (row.version === kept.version && row.note === kept.note)
    return isAsTold ? [] : [`${kept.table} ${uid} has version ${row.version}, not ${kept.version}`]
  })
}

async function doubledNames(client: pg.Client, names: ReadonlyMap<string, PromisedRecord['table']>): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from (select number as name from truck union all select name from client) n
      where name = any($1) group by name having count(*) > 1`,
    [[...names.keys()]],
  )
  return rows.map(({ name }) => name)
}

/** Lists whose exact total is not what counting gives. */
async function wrongTotals(client: pg.Client): Promise<string[]> {
  const { rows: lists } = await client.query<{ list: string; total: number }>(
    'select list, sum(delta)::int as total from list_change group by list order by list',
  )
  const wrong: string[] = []
  for (const { list, total } of lists) {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from ${pg.escapeIdentifier(list)} where deleted_at is null`,
    )
    if (rows[0]?.count !== total) wrong.push(`${list}: ${total} instead of ${rows[0]?.count}`)
  }
  return wrong
}
