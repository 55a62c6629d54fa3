import type { ArtworkSet, Page, photoQueue, QueryOf, QueuedPhoto } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { artworkRecords, firstArtworkSets } from '../../catalog/artwork/index.ts'
import { loadRotations } from '../../planning/rotation/index.ts'
import { photoRecords } from './records.ts'

/** The photos that wait for approval, oldest first, with what is needed to decide. */
export async function pageOfQueue(
  db: Db,
  scope: Scope,
  query: QueryOf<typeof photoQueue.list>,
): Promise<Page<QueuedPhoto>> {
  const found = await photoRecords.page(db, scope, { ...query, sort: query.sort ?? 'createdAt', waiting: true })
  const programs = [...new Set(found.data.map(({ program }) => program.uid))]
  const shifts = [...new Set(found.data.flatMap(({ shift }) => shift?.uid ?? []))]
  const [programFacts, shiftSets, programSets, rotations] = await Promise.all([
    loadPrograms(db, programs),
    loadSetsOfShifts(db, scope, shifts),
    firstArtworkSets(db, scope, programs),
    loadRotations(db, programs),
  ])
  const data = found.data.map((photo): QueuedPhoto => {
    const { client, markets } = programFacts.get(photo.program.uid) ?? { client: photo.program, markets: [] }
    const ofShift = shiftSets.get(photo.shift?.uid ?? '')
    // Which set of a rotation a photo shows, its shift does not say.
    const isInRotation = photo.shift !== null && rotations.has(photo.program.uid)
    const set = ofShift ?? (isInRotation ? undefined : programSets.get(photo.program.uid))
    return { ...photo, client, markets, artwork: set ? toWornArtwork(set, ofShift !== undefined) : null }
  })
  return { ...found, data }
}

const toWornArtwork = (set: ArtworkSet, isOfShift: boolean): QueuedPhoto['artwork'] => ({
  uid: set.uid,
  name: set.name,
  isOfShift,
  driverSide: set.driverSideArtwork,
  passengerSide: set.passengerSideArtwork,
  rear: set.rearArtwork,
})

type ProgramFacts = Pick<QueuedPhoto, 'client' | 'markets'>

async function loadPrograms(db: Db, uids: readonly string[]): Promise<Map<string, ProgramFacts>> {
  if (uids.length === 0) return new Map()
  const programs = await db
    .selectFrom('client_program as p')
    .innerJoin('client as c', 'c.uid', 'p.client_uid')
    .select(['p.uid', 'c.uid as clientUid', 'c.name as client'])
    .where('p.uid', 'in', uids)
    .execute()
  const markets = await db
    .selectFrom('program_market as pm')
    .innerJoin('market as m', 'm.uid', 'pm.market_uid')
    .select(['pm.program_uid as program', 'm.uid', 'm.name'])
    .where('pm.program_uid', 'in', uids)
    .orderBy('pm.position')
    .orderBy('m.name')
    .execute()
  return new Map(
    programs.map(({ uid, clientUid, client }) => [
      uid,
      {
        client: { uid: clientUid, name: client },
        markets: markets.filter((each) => each.program === uid).map((each) => ({ uid: each.uid, name: each.name })),
      },
    ]),
  )
}

/** The artwork set of each shift that names one, by the shift's uid. */
async function loadSetsOfShifts(db: Db, scope: Scope, uids: readonly string[]): Promise<Map<string, ArtworkSet>> {
  if (uids.length === 0) return new Map()
  const shifts = await db
    .selectFrom('shift')
    .select(['uid', 'artwork_set_uid as set'])
    .where('uid', 'in', uids)
    .where('artwork_set_uid', 'is not', null)
    .execute()
  const found = await artworkRecords.findMany(
    db,
    scope,
    shifts.flatMap(({ set }) => set ?? []),
  )
  const sets = new Map(found.flatMap((set) => (set ? [[set.uid, set] as const] : [])))
  return new Map(shifts.map(({ uid, set }) => [uid, sets.get(set ?? '')] as const).filter(hasSet))
}

const hasSet = (entry: readonly [string, ArtworkSet | undefined]): entry is readonly [string, ArtworkSet] =>
  entry[1] !== undefined
