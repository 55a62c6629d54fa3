import { sql } from 'kysely'
import { anyOf } from '../db/any-of.ts'
import type { Db } from '../db/connection.ts'

/** What the watcher remembers of a condition and a subject. */
interface Watched {
  since: number
  /** Null while it holds. */
  goneSince: number | null
  isRaised: boolean
}

const keyOf = (kind: string, subject: string) => `${kind} ${subject}`
const keysOf = (kind: string, subjects: readonly string[]) => subjects.map((subject) => keyOf(kind, subject))
const subjectsOf = (kind: string, rows: readonly { key: string }[]) =>
  new Set(rows.map(({ key }) => key.slice(kind.length + 1)))

/** What is remembered of a kind, by subject; of subjects with this beginning only. */
export async function loadWatched(db: Db, kind: string, beginning = ''): Promise<Map<string, Watched>> {
  const { rows } = await sql<Watched & { subject: string }>`
    select substr(key, length(type) + 2) as subject, raised_at is not null as "isRaised",
           (extract(epoch from since) * 1000)::float8 as since, (extract(epoch from gone_since) * 1000)::float8 as "goneSince"
      from watched_condition where type = ${kind} and starts_with(key, ${keyOf(kind, beginning)})`.execute(db)
  return new Map(rows.map(({ subject, ...watched }) => [subject, watched]))
}

export const raisedAmong = (watched: ReadonlyMap<string, Watched>): Set<string> =>
  new Set([...watched].flatMap(([subject, { isRaised }]) => (isRaised ? [subject] : [])))

/** The subjects for which a kind was raised: a condition may hold for them until it is clearly over. */
export const raisedSubjects = async (db: Db, kind: string) => raisedAmong(await loadWatched(db, kind))

/** Forgets conditions. Answers with the subjects that no other node has forgotten before. */
export async function forgetWatched(db: Db, kind: string, subjects: readonly string[]): Promise<Set<string>> {
  if (subjects.length === 0) return new Set()
  const forgotten = db.deleteFrom('watched_condition').where('key', '=', anyOf(keysOf(kind, subjects)))
  return subjectsOf(kind, await forgotten.returning('key').execute())
}

/** Remembers conditions. Answers with the subjects, except those to raise that another node has raised before. */
export async function storeWatched(
  db: Db,
  kind: string,
  subjects: readonly string[],
  { at, goneSince = null, isRaised = false }: { at: Date; goneSince?: Date | null; isRaised?: boolean },
): Promise<Set<string>> {
  if (subjects.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    insert into watched_condition (key, type, since, gone_since, raised_at)
    select key, ${kind}, ${at}, ${goneSince}::timestamptz, ${isRaised ? at : null}::timestamptz
      from unnest(${keysOf(kind, subjects)}::text[]) k (key)
    on conflict (key) do update
      set gone_since = excluded.gone_since, raised_at = coalesce(watched_condition.raised_at, excluded.raised_at)
      where watched_condition.raised_at is null or excluded.raised_at is null
    returning key`.execute(db)
  return subjectsOf(kind, rows)
}
