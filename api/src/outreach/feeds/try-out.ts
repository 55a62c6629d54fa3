import { text } from 'node:stream/consumers'
import { FEED_DELAY_MINUTES, feeds, HAS_MORE_HEADER, rowAccessForKey, type TrackCollection } from '@roadshow/contract'
import { sql } from 'kysely'
import { newestOpenKey, type OpenKey } from '../../accounts/api-keys/index.ts'
import { clientLimit, type PlayStores } from '../../live/plays/index.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { Download } from '../../platform/http/download.ts'
import { playFeed } from './plays.ts'
import { trackAnswer } from './positions.ts'

interface FeedTestResult {
  isWorking: boolean
  text: string
}

/** What calls with a key may read, as the server decides it for each of them. */
function scopeOf({ user }: OpenKey, address: string): Scope | undefined {
  const rows = rowAccessForKey({ ...user, canWrite: user.key?.canWrite === true }, feeds.playLines)
  return rows && { rows, actor: { ...user, address } }
}

/** The program within reach whose shifts began last: that is where plays are. */
async function newestProgram({ db }: PlayStores, scope: Scope): Promise<{ uid: string; name: string } | undefined> {
  const { rows } = await sql<{ uid: string; name: string }>`
    select p.uid, p.name
      from client_program p
      left join lateral (select s.starts_at from shift s
                          where s.program_uid = p.uid and s.starts_at <= now()
                          order by s.starts_at desc limit 1) s on true
     where p.deleted_at is null and (${clientLimit(scope)}::uuid is null or p.client_uid = ${clientLimit(scope)}::uuid)
     order by s.starts_at desc nulls last, p.created_at desc, p.uid
     limit 1`.execute(db)
  return rows[0]
}

const hasMore = ({ options: { headers = {} } }: Download) => headers[HAS_MORE_HEADER] === 'true'

const countOf = (count: number, one: string) => `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`

/** Reads the first page of the plays and of the routes of a program, as the partner with the key used last does. */
export async function testFeeds(stores: PlayStores, address: string): Promise<FeedTestResult> {
  const key = await newestOpenKey(stores.db, 'overview')
  const scope = key && scopeOf(key, address)
  if (!scope) return { isWorking: false, text: 'No API key may read feeds. Create one with the module Overview.' }
  const program = await newestProgram(stores, scope)
  if (!program)
    return {
      isWorking: false,
      text: `The key “${key.name}” works, but ${key.clientName ?? 'the company'} has no program to read yet.`,
    }
  const { uid, name } = program
  const plays = await playFeed(stores, scope, {
    ...feeds.playLines.query.parse({}),
    program: uid,
    format: 'jsonl',
  })
  const lines = (await text(plays.content)).split('\n').filter(Boolean).length
  const tracks = await trackAnswer(stores.db, scope, uid, feeds.positions.query.parse({}))
  const { features } = JSON.parse(await text(tracks.content)) as TrackCollection
  const read = `With the key “${key.name}”, the first page of ${name} has`
  if (lines === 0)
    return {
      isWorking: true,
      text: `${read} no plays yet: a play is there ${FEED_DELAY_MINUTES} minutes after it arrived. Routes: ${countOf(features.length, 'shift')}.`,
    }
  const more = hasMore(plays) ? ', and there are more' : ', and these are all'
  return {
    isWorking: true,
    text: `${read} ${countOf(lines, 'play')}${more}. Routes: ${countOf(features.length, 'shift')}.`,
  }
}
