import { addDays, day, LISTED_DAYS, uid } from '@roadshow/contract'
import { type FillIn, type GivenInput, today } from '../../platform/http/fill-in.ts'

const programIn = ({ query, params }: GivenInput) => uid.safeParse(query['program'] ?? params['programUid']).data

/** A report without days covers the program's own. */
export const fillProgramSpan: FillIn = async (given, db) => {
  const program = programIn(given)
  if (program === undefined) return {}
  const span = await db
    .selectFrom('client_program')
    .select(['starts_on as from', 'ends_on as to'])
    .where('uid', '=', program)
    .executeTakeFirst()
  return span ?? {}
}

/** Plays of several programs or all, without days, are those of a week: all time of a fleet is too much. */
export const fillLogWeek: FillIn = async (given, db) => {
  const { shift, to } = given.query
  if (shift !== undefined || programIn(given) !== undefined) return {}
  const last = day.safeParse(to).data ?? (await today(db))
  return { from: addDays(last, -LISTED_DAYS) }
}

/** An ad log without days covers those of its program. */
export const fillLogDays: FillIn = async (given, db) => ({
  ...(await fillLogWeek(given, db)),
  ...(given.query['shift'] === undefined && (await fillProgramSpan(given, db))),
})
