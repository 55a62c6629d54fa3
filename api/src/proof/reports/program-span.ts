import { uid } from '@roadshow/contract'
import type { FillIn, GivenInput } from '../../platform/http/fill-in.ts'

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
