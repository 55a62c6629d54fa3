import { addDays, day, localDay, workweekOf } from '@roadshow/contract'
import { sharedNow } from '../db/clock.ts'
import type { Db } from '../db/connection.ts'
import { officeZone } from '../db/office-zone.ts'

/** What a caller gave, before it is parsed. */
export interface GivenInput {
  query: Record<string, unknown>
  params: Record<string, unknown>
}

/** Fills in query parameters that the caller left out; given ones stay. */
export type FillIn = (given: GivenInput, db: Db) => Promise<Record<string, string>>

/** The day at the office. */
export const today = async (db: Db): Promise<string> => localDay(await officeZone(db), await sharedNow(db))

/** The day that was given, if it is one: what is none is refused when the query is parsed. */
export const dayIn = (value: unknown) => day.safeParse(value).data

export const fillToday: FillIn = async (_given, db) => ({ date: await today(db) })

export const fillMonday: FillIn = async (_given, db) => ({ from: workweekOf(await today(db)) })

/** Seven days: from Monday of this week, or beside the day that was given. */
export const fillWeek: FillIn = async ({ query }, db) => {
  const [from, to] = [dayIn(query['from']), dayIn(query['to'])]
  const first = from ?? (to ? addDays(to, -6) : workweekOf(await today(db)))
  return { from: first, to: addDays(first, 6) }
}
