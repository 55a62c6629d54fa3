import type { Language } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { requestLanguage } from '../../platform/http/request-language.ts'

/**
 * The language that the user `u` reads: the one that was set, for a driver otherwise the one of the browser that signed in
 * last, otherwise English. The console is in English, so other roles get what they see there.
 */
export const languageOfUser: RawBuilder<Language> = sql`coalesce(u.language, case when u.role = 'driver' then (
  select s.language from session s where s.user_uid = u.uid order by s.created_at desc limit 1) end, 'en')`

/** The language of a mail to a user. A request that the user made says what the browser wants now. */
export async function recipientLanguage(
  db: Db,
  userUid: string,
  request?: Pick<FastifyRequest, 'headers'>,
): Promise<Language> {
  const asked = request && requestLanguage(request)
  const found = await db
    .selectFrom('user_account as u')
    .select(['u.role', 'u.language as chosen', languageOfUser.as('language')])
    .where('u.uid', '=', userUid)
    .executeTakeFirst()
  const isUnset = found?.role === 'driver' && found.chosen === null
  return (isUnset ? asked : undefined) ?? found?.language ?? 'en'
}
