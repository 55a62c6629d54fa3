import { addDays, day, uid } from '@roadshow/contract'
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

const DAYS_OF_LOG = 7

/** An ad log without days covers those of its program or shift; of several programs or all, a week. */
export const fillLogDays: FillIn = async (given, db) => {
  const { shift, day: present, to } = given.query
  if (shift !== undefined || present !== undefined) return {}
  if (programIn(given) !== undefined) return fillProgramSpan(given, db)
  const last = day.safeParse(to).data ?? (await today(db))
  return { from: addDays(last, -DAYS_OF_LOG) }
}
