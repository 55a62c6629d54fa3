import type { ProgramStatus } from '@roadshow/contract'
import type { Db } from '../platform/db/connection.ts'
import { demoClients, type DemoClient } from './clients.ts'
import { loadPast, NEWEST_WEEKS, type PastPart, type PastShift, WEEK } from './past-shifts.ts'
import { FIRST_CLIENT } from './people.ts'

export interface Chapter {
  market: { uid: string; name: string }
  shifts: PastShift[]
}

export interface PlannedPop {
  uid: string
  name: string
  client: DemoClient
  chapters: Chapter[]
  /** The others are not ready: their photos wait. */
  isPublished: boolean
}

type Candidate = Omit<PlannedPop, 'isPublished'> & { status: ProgramStatus }

const PUBLISHED_COMPLETED = 4

const isOfFirst = ({ client }: Candidate) => client.name === FIRST_CLIENT

/** Programs that were on the road, with their shifts by market. */
async function candidates(db: Db, part: PastPart): Promise<Candidate[]> {
  const named = await db
    .selectFrom('client_program as p')
    .innerJoin('client as c', 'c.uid', 'p.client_uid')
    .select(['p.uid', 'p.name', 'p.status', 'c.name as client'])
    .orderBy('p.pop_url')
    .execute()
  const markets = await db.selectFrom('market').select(['uid', 'name']).orderBy('name').execute()
  const { shifts: past, loadedAt } = await loadPast(db)
  const since = part === 'newest' ? loadedAt - NEWEST_WEEKS * WEEK : 0
  return named.flatMap(({ uid, name, status, client: clientName }) => {
    const client = demoClients.find((each) => each.name === clientName)
    const shifts = past.filter(
      ({ programUid, startsAt, endsAt }) => programUid === uid && startsAt > since && endsAt < loadedAt,
    )
    const chapters = markets
      .map((market) => ({ market, shifts: shifts.filter(({ marketUid }) => marketUid === market.uid) }))
      .filter((chapter) => chapter.shifts.length > 0)
    return client && chapters.length > 0 ? [{ uid, name, status: status as ProgramStatus, client, chapters }] : []
  })
}

/** Every program that was on the road, first those of the client that a newcomer looks into; some are published. */
export async function planPops(db: Db, part: PastPart): Promise<PlannedPop[]> {
  const all = await candidates(db, part)
  const completed = all.filter((each) => each.status === 'completed' && !isOfFirst(each)).slice(0, PUBLISHED_COMPLETED)
  const published = new Set([...all.filter(isOfFirst), ...completed])
  const inOrder = [...published, ...all.filter((each) => !published.has(each))]
  return inOrder.map((each, index) => ({ ...each, isPublished: index < published.size }))
}
