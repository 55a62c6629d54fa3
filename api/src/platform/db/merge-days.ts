import { DAY_MS } from '@roadshow/contract'
import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from './connection.ts'
import { type SnapshotWait, waitForOldSnapshots } from './old-snapshots.ts'
import {
  dayOf,
  listPartitions,
  NotNow,
  type Partition,
  type PartitionedTable,
  weekOf,
  withShortLocks,
} from './partitions.ts'

const WEEK_MS = 7 * DAY_MS

/** The column that each table is partitioned by. */
const TIME_COLUMN: Record<PartitionedTable, string> = {
  position: 'at',
  play: 'started_at',
  position_minute: 'at',
  position_spare: 'at',
}

/** A week of a table that consists of single days. */
interface DividedWeek {
  table: PartitionedTable
  monday: number
  days: Partition[]
}

const isWeek = ({ from, until }: Partition) => until - from === WEEK_MS

/** The past weeks of a table that consist of single days, oldest first. */
async function dividedWeeks(db: Db, table: PartitionedTable, now: number): Promise<DividedWeek[]> {
  const weeks = new Map<number, Partition[]>()
  for (const part of await listPartitions(db, table)) {
    const monday = weekOf(part.from)
    if (!isWeek(part) && monday + WEEK_MS <= now) weeks.set(monday, [...(weeks.get(monday) ?? []), part])
  }
  return [...weeks].map(([monday, days]) => ({ table, monday, days }))
}

const TRIGGER = sql.id('note_changed_row')

const nameOf = ({ table, monday }: DividedWeek) => `${table}_week_${dayOf(monday).replaceAll('-', '')}`
const asideOf = (week: DividedWeek) => sql.id('merging', nameOf(week))
const timeOf = ({ table }: DividedWeek) => sql.id(TIME_COLUMN[table])
const boundsOf = ({ monday }: DividedWeek) => ({
  from: sql.lit(new Date(monday).toISOString()),
  until: sql.lit(new Date(monday + WEEK_MS).toISOString()),
})

/** The rows of a week, read through its table: the columns of old partitions may have another order. */
function rowsOf(week: DividedWeek, condition: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const { from, until } = boundsOf(week)
  return sql`select * from ${sql.table(week.table)} w
    where w.${timeOf(week)} >= ${from}::timestamptz and w.${timeOf(week)} < ${until}::timestamptz and ${condition}`
}

/** Removes what an earlier merge left behind, also one of another week that a crash ended. */
async function clear(db: Db): Promise<boolean> {
  const isCleared = await withShortLocks(db, async (db) => {
    const { rows } = await sql<{ table: string; isCopy: boolean }>`
      select relname as table, true as "isCopy" from pg_class
       where relnamespace = 'merging'::regnamespace and relkind = 'r' and relname <> 'changed_row'
      union all
      select c.relname, false from pg_trigger t join pg_class c on c.oid = t.tgrelid
       where t.tgname = 'note_changed_row'`.execute(db)
    for (const { table, isCopy } of rows) {
      if (isCopy) await sql`drop table ${sql.id('merging', table)}`.execute(db)
      else await sql`drop trigger ${TRIGGER} on ${sql.id(table)}`.execute(db)
    }
  })
  if (isCleared) await sql`delete from merging.changed_row`.execute(db)
  return isCleared
}

/** From here on, changes of rows are noted. Creating a trigger waits for writers, so none is missed. */
const noteChanges = (db: Db, week: DividedWeek): Promise<boolean> =>
  withShortLocks(db, async (db) => {
    const column = sql.lit(TIME_COLUMN[week.table])
    for (const { name } of week.days) {
      await sql`create trigger ${TRIGGER} after insert or update or delete on ${sql.id(name)}
                for each row execute function note_changed_row(${column})`.execute(db)
    }
  })

/** Copies the week aside. The constraint saves the scan when the copy becomes a partition. */
async function copyAside(db: Db, week: DividedWeek): Promise<void> {
  const [aside, { from, until }] = [asideOf(week), boundsOf(week)]
  await inTransaction(db, async (db) => {
    await sql`create table ${aside} (like ${sql.table(week.table)} including defaults including constraints including indexes,
      constraint within_week check (${timeOf(week)} >= ${from}::timestamptz and ${timeOf(week)} < ${until}::timestamptz))`.execute(
      db,
    )
    await sql`insert into ${aside} ${rowsOf(week)}`.execute(db)
  })
  await sql`analyze ${aside}`.execute(db)
}

/** Copies the rows again that have changed since they were copied. */
const copyChanged = (db: Db, week: DividedWeek): Promise<void> =>
  inTransaction(db, async (db) => {
    const { rows } = await sql<{ truck_uid: string; at: string }>`
      delete from merging.changed_row returning truck_uid, at`.execute(db)
    if (rows.length === 0) return
    const changed = sql`(select * from unnest(${rows.map((row) => row.truck_uid)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[]))`
    await sql`delete from ${asideOf(week)} w where (w.truck_uid, w.${timeOf(week)}) in ${changed}`.execute(db)
    await sql`insert into ${asideOf(week)} ${rowsOf(week, sql`(w.truck_uid, w.${timeOf(week)}) in ${changed}`)}`.execute(
      db,
    )
  })

/** Puts the copy in the place of the days, unless rows or partitions of the week have changed meanwhile. */
const swap = (db: Db, week: DividedWeek): Promise<boolean> =>
  withShortLocks(db, async (db) => {
    const [table, aside, { from, until }] = [sql.table(week.table), asideOf(week), boundsOf(week)]
    const unchanged = new Set(week.days.map(({ name }) => name))
    await sql`select pg_advisory_xact_lock(hashtext('ensure_week'))`.execute(db)
    await sql`lock table only ${table} in access exclusive mode`.execute(db)
    for (const name of unchanged) await sql`lock table ${sql.id(name)} in access exclusive mode`.execute(db)
    const { rows } = await sql<{ isChanged: boolean }>`
      select exists (select from merging.changed_row) as "isChanged"`.execute(db)
    const present = (await listPartitions(db, week.table)).filter(({ from }) => weekOf(from) === week.monday)
    if (rows[0]?.isChanged || present.length !== unchanged.size || present.some(({ name }) => !unchanged.has(name))) {
      throw new NotNow('The week has changed.')
    }
    for (const { name } of present) await sql`drop table ${sql.id(name)}`.execute(db)
    await sql`alter table ${aside} set schema public`.execute(db)
    await sql`alter table ${table} attach partition ${sql.id(nameOf(week))} for values from (${from}) to (${until})`.execute(
      db,
    )
    await sql`alter table ${sql.id(nameOf(week))} drop constraint within_week`.execute(db)
  })

const ATTEMPTS = 5

/** Merges the days of one week into one partition. Answers false where readers or writers were in its way: the days stay. */
async function mergeWeek(db: Db, week: DividedWeek, options: SnapshotWait): Promise<boolean> {
  if (!(await clear(db)) || !(await noteChanges(db, week))) return false
  await copyAside(db, week)
  for (let attempt = 1; attempt <= ATTEMPTS && !options.signal?.aborted; attempt++) {
    await copyChanged(db, week)
    // An export that began before the copy would see neither the days, which are gone, nor the copy, which is too new.
    if (!(await waitForOldSnapshots(db, options))) break
    if (await swap(db, week)) return true
  }
  await clear(db)
  return false
}

/**
 * Whether days are merged here. A role that may not change the table leaves it to the owner, after its migrations. Days
 * that were not merged before their table was distributed stay: there are few, and retention ends them.
 */
async function isMergeable(db: Db, table: PartitionedTable): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select pg_has_role(relowner, 'usage') and not is_distributed(${table}) as is
      from pg_class where oid = ${table}::regclass`.execute(db)
  return rows[0]?.is ?? false
}

/** Merges the single days of past weeks, week by week; answers how many weeks it merged. */
export async function mergePastDays(
  db: Db,
  table: PartitionedTable,
  { now, ...options }: SnapshotWait & { now: number },
): Promise<number> {
  let merged = 0
  if (!(await isMergeable(db, table))) return merged
  for (const week of await dividedWeeks(db, table, now)) {
    if (options.signal?.aborted) break
    if (await mergeWeek(db, week, options)) merged++
  }
  return merged
}
