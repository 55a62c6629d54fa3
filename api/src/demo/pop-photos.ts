import type { Role } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import type { BlobStore } from '../platform/files/index.ts'
import { addPhotos, photoRecords } from '../proof/photos/index.ts'
import type { PastShift } from './past-shifts.ts'
import { FIRST_CLIENT } from './people.ts'
import type { Chapter, PlannedPop } from './pop-plan.ts'
import { demoCaption, ELSEWHERE_CAPTION, NO_DATA_CAPTION } from './pop-words.ts'
import { seededIntegers } from './seeded-integers.ts'
import { type FakeCameraData, utcOffsetMinutes, drawStreetPhoto } from './street.ts'

export interface Working {
  db: Db
  blobs: BlobStore
  signal: AbortSignal
}

/** The access of a demo user who never signed in. */
export async function scopeOf(db: Db, rows: Scope['rows'], who: { uid: string } | { email: string }): Promise<Scope> {
  const { role, modules, ...user } = await db
    .selectFrom('user_account')
    .select(['uid', 'name', 'email', 'role', 'modules', 'client_uid as clientUid'])
    .where((given) => given.and(who))
    .executeTakeFirstOrThrow()
  const held = modules as Scope['actor']['modules']
  return { rows, actor: { ...user, modules: held, role: role as Role, sessionUid: '', address: '' } }
}

const METER = 1 / 111_195
const FAR_M = 3300

type Kind = 'plain' | 'noData' | 'elsewhere' | 'waiting'

/** How many photos a market of a program has. */
const photosOf = ({ client }: PlannedPop) => (client.name === FIRST_CLIENT ? 4 : 2)

/** What becomes of a photo, by its place among those of its market. */
function kindOf(pop: PlannedPop, chapter: Chapter, place: number): Kind {
  const isFirst = pop.chapters[0] === chapter
  if (place === 2) return isFirst ? 'elsewhere' : 'noData'
  return place === photosOf(pop) - 1 && (place > 1 || !isFirst) ? 'waiting' : 'plain'
}

interface Fix {
  at: number
  latitude: number
  longitude: number
}

interface Shot {
  shift: PastShift
  fixes: readonly Fix[]
  kind: Kind
  /** Which photo of its chapter this is, and of how many. */
  place: number
  count: number
  seed: number
}

/** The place of the phone: a few steps from the truck, or too far from it. */
function cameraOf({ shift, fixes, kind, place, count, seed }: Shot): FakeCameraData {
  const pick = seededIntegers(seed)
  const share = 0.12 + (0.76 * (place + pick(100) / 100)) / count
  const at = shift.from + (shift.to - shift.from) * share
  const nearer = (one: Fix, other: Fix) => (Math.abs(other.at - at) < Math.abs(one.at - at) ? other : one)
  const fix = fixes.reduce(nearer)
  const aside = (20 + pick(60)) * METER
  return {
    at: fix.at,
    offsetMinutes: utcOffsetMinutes(shift.zone, fix.at),
    latitude: fix.latitude + (kind === 'elsewhere' ? FAR_M * METER : aside),
    longitude: fix.longitude + aside,
  }
}

const captionFor = (kind: Kind, seed: number) =>
  kind === 'noData' ? NO_DATA_CAPTION : kind === 'elsewhere' ? ELSEWHERE_CAPTION : demoCaption(seed)

/** Where a truck was on its shift. */
async function fixesOf(db: Db, { truckUid, from, to }: PastShift): Promise<Fix[]> {
  const { rows } = await sql<Fix>`
    select (extract(epoch from at) * 1000)::float8 as at, latitude, longitude from position
     where truck_uid = ${truckUid} and at >= ${new Date(from).toISOString()} and at < ${new Date(to).toISOString()}
     order by at`.execute(db)
  return rows
}

interface PhotoOrder {
  pop: PlannedPop
  chapter: Chapter
  seed: number
}

/** Adds the photos that drivers sent from a market of a program. */
export async function takePhotos(working: Working, admin: Scope, { pop, chapter, seed }: PhotoOrder): Promise<void> {
  const { db, signal } = working
  const count = photosOf(pop)
  const { shifts } = chapter
  for (let place = 0; place < count; place++) {
    if (signal.aborted) return
    const shift = shifts[Math.floor(((place + 0.5) * shifts.length) / count)]
    const fixes = shift ? await fixesOf(db, shift) : []
    if (!shift || fixes.length === 0) continue
    const shot = { shift, fixes, kind: kindOf(pop, chapter, place), place, count, seed: seed + place }
    await takePhoto(working, admin, pop, shot)
  }
}

async function takePhoto({ db, blobs }: Working, admin: Scope, pop: PlannedPop, shot: Shot): Promise<void> {
  const { shift, kind, seed } = shot
  const driver = await scopeOf(db, 'own', { uid: shift.driverUid })
  const scene = { client: pop.client, seed, camera: cameraOf(shot), isStripped: kind === 'noData' }
  const file = { name: `IMG_${4000 + seed}.jpg`, content: await drawStreetPhoto(scene) }
  const upload = { shiftUid: shift.uid, caption: captionFor(kind, seed) }
  const [added] = await addPhotos({ db, blobs }, driver, { upload, files: [file], receivingMs: 0 })
  if (added?.error) throw new Error(`A photo of the demo was refused: ${added.error}`)
  const isApproved = pop.isPublished && (kind === 'plain' || kind === 'noData')
  if (isApproved && added?.photo?.status === 'waiting') {
    await photoRecords.update(db, admin, added.photo.uid, added.photo.version, { status: 'approved' })
  }
}
