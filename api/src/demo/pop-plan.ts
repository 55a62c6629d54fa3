import type { Db } from '../platform/db/connection.ts'
import { demoClients, type DemoClient } from './clients.ts'
import { type PastShift, pastShifts } from './past-shifts.ts'
import { peopleWithLogin } from './people.ts'

export interface Chapter {
  market: { uid: string; name: string }
  shifts: PastShift[]
}

export interface PlannedPop {
  uid: string
  name: string
  client: DemoClient
  chapters: Chapter[]
  /** The last of several is not ready: its photos wait. */
  isPublished: boolean
}

type Candidate = Omit<PlannedPop, 'isPublished'>

/** Whose login a newcomer tries. */
export const FIRST_CLIENT = peopleWithLogin.find(({ client }) => client)?.client ?? ''

const shiftsOf = ({ chapters }: Candidate) => chapters.reduce((sum, { shifts }) => sum + shifts.length, 0)
const isOfFirst = ({ client }: Candidate) => Number(client.name === FIRST_CLIENT)
const isInSeveral = ({ chapters }: Candidate) => Number(chapters.length > 1)

async function candidates(db: Db): Promise<Candidate[]> {
  const named = await db
    .selectFrom('client_program as p')
    .innerJoin('client as c', 'c.uid', 'p.client_uid')
    .select(['p.uid', 'p.name', 'c.name as client'])
    .orderBy('p.pop_url')
    .execute()
  const markets = await db.selectFrom('market').select(['uid', 'name']).orderBy('name').execute()
  const past = await pastShifts(db)
  return named.flatMap(({ uid, name, client: clientName }) => {
    const client = demoClients.find((each) => each.name === clientName)
    const shifts = past.filter(({ programUid }) => programUid === uid)
    const chapters = markets
      .map((market) => ({ market, shifts: shifts.filter(({ marketUid }) => marketUid === market.uid) }))
      .filter((chapter) => chapter.shifts.length > 0)
    return client && chapters.length > 0 ? [{ uid, name, client, chapters }] : []
  })
}

/** Programs in several markets with not too much behind them, one of each client: first the one that can be looked into. */
export async function planPops(db: Db, most: number, shifts: number): Promise<PlannedPop[]> {
  const inOrder = (await candidates(db)).toSorted(
    (one, other) =>
      isOfFirst(other) - isOfFirst(one) || isInSeveral(other) - isInSeveral(one) || shiftsOf(one) - shiftsOf(other),
  )
  const chosen: Candidate[] = []
  let left = shifts
  for (const each of inOrder) {
    if (chosen.length === most || shiftsOf(each) > left || chosen.some(({ client }) => client === each.client)) continue
    chosen.push(each)
    left -= shiftsOf(each)
  }
  return chosen.map((each, index) => ({ ...each, isPublished: index === 0 || index < chosen.length - 1 }))
}
