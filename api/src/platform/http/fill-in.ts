import { addDays, day, DEFAULT_ZONE, localDay, workweekOf } from '@roadshow/contract'
import type { Db } from '../db/connection.ts'

/** What a caller gave, before it is parsed. */
export interface GivenInput {
  query: Record<string, unknown>
  params: Record<string, unknown>
}

/** Fills in query parameters that the caller left out; given ones stay. */
export type FillIn = (given: GivenInput, db: Db) => Promise<Record<string, string>>

const today = () => localDay(DEFAULT_ZONE)

/** The day that was given, if it is one: what is none is refused when the query is parsed. */
const dayIn = (value: unknown) => day.safeParse(value).data

export const fillToday: FillIn = async () => ({ date: today() })

export const fillMonday: FillIn = async () => ({ from: workweekOf(today()) })

/** Seven days: from Monday of this week, or beside the day that was given. */
export const fillWeek: FillIn = async ({ query }) => {
  const [from, to] = [dayIn(query['from']), dayIn(query['to'])]
  const first = from ?? (to ? addDays(to, -6) : workweekOf(today()))
  return { from: first, to: addDays(first, 6) }
}

/** The input with what was filled in. */
export async function withFilledIn(
  fillIn: FillIn | undefined,
  given: GivenInput,
  db: Db,
): Promise<GivenInput['query']> {
  const { query } = given
  return fillIn ? { ...(await fillIn(given, db)), ...query } : query
}
