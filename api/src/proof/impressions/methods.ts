import { createHash } from 'node:crypto'
import {
  type BodyOf,
  type ImpressionMethod,
  type ImpressionMethodSummary,
  type impressions,
  impressionMethod,
  type TrafficSegment,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { utcText } from '../../platform/db/records/fragments.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type CountedMethod, IMPRESSION_RULES } from './rules.ts'
import { parseTraffic, trafficIndex } from './traffic.ts'

/** A stored version; the newest one unless another is asked for. */
export async function loadMethod(db: Db, version?: number) {
  const found = await db
    .selectFrom('impression_method')
    .select(['version', 'document', 'sha256', 'rules'])
    .$if(version !== undefined, (query) => query.where('version', '=', version ?? 0))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!found) throw new AppError('notFound')
  return found
}

type StoredMethod = Awaited<ReturnType<typeof loadMethod>>

export const parseMethod = ({ document }: Pick<StoredMethod, 'document'>): ImpressionMethod =>
  impressionMethod.parse(JSON.parse(document))

/** The newest version, ready to count with. */
export async function currentMethod(db: Db): Promise<CountedMethod & { version: number }> {
  const { version, inputs, traffic } = parseMethod(await loadMethod(db))
  return { version, inputs, countAt: trafficIndex(traffic) }
}

/** All versions, newest first, or one of them. */
export const listMethods = (db: Db, version?: number): Promise<ImpressionMethodSummary[]> =>
  db
    .selectFrom('impression_method as m')
    .leftJoin('user_account as u', 'u.uid', 'm.changed_by')
    .select(['m.version', 'm.note', 'm.sha256', 'm.segments', 'u.name as createdBy'])
    .select(utcText('m.created_at').$castTo<string>().as('createdAt'))
    .$if(version !== undefined, (query) => query.where('m.version', '=', version ?? 0))
    .orderBy('m.version', 'desc')
    .execute()

type Input = BodyOf<typeof impressions.addMethod>

/** Adds the next version. An input that is based on an older one is refused. */
export const addMethod = (db: Db, { actor }: Scope, body: Input): Promise<ImpressionMethodSummary> =>
  inTransaction(db, async (db) => {
    await sql`lock table impression_method in share row exclusive mode`.execute(db)
    const before = await loadMethod(db)
    if (before.version !== body.basedOn) throw new AppError('staleVersion')
    await checkMarkets(db, body)
    const method: ImpressionMethod = {
      version: before.version + 1,
      note: body.note,
      inputs: body.inputs,
      traffic: trafficOf(body, before),
    }
    const document = JSON.stringify(method)
    await db
      .insertInto('impression_method')
      .values({
        version: method.version,
        document,
        sha256: createHash('sha256').update(document).digest('hex'),
        note: method.note,
        segments: method.traffic.length,
        rules: IMPRESSION_RULES,
        changed_by: actor.uid,
        changed_from: actor.address,
      })
      .execute()
    const [added] = await listMethods(db, method.version)
    if (!added) throw new AppError('notFound')
    return added
  })

function trafficOf({ traffic, trafficFile }: Input, before: StoredMethod): TrafficSegment[] {
  if (traffic === 'none') return []
  if (traffic === 'keep') return parseMethod(before).traffic
  const parsed = parseTraffic(trafficFile)
  if (typeof parsed === 'string') throw new AppError('badInput', { fields: { trafficFile: parsed } })
  return parsed
}

/** An area names a market that is there. */
async function checkMarkets(db: Db, { inputs }: Input): Promise<void> {
  const uids = inputs.areas.flatMap(({ marketUid }) => (marketUid === null ? [] : [marketUid]))
  if (uids.length === 0) return
  const found = await db.selectFrom('market').select('uid').where('uid', 'in', uids).forShare().execute()
  const known = new Set(found.map(({ uid }) => uid))
  const missing = inputs.areas.findIndex(({ marketUid }) => marketUid !== null && !known.has(marketUid))
  if (missing >= 0) refuseFields({ [`inputs.areas.${missing}.marketUid`]: 'Market not found.' })
}
