import type { Role } from '@roadshow/contract'
import type { Db } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import type { BlobStore } from '../platform/files/index.ts'
import { addPhotos, photoRecords } from '../proof/photos/index.ts'
import { recordPastDrive, type PastShift } from './past-shifts.ts'
import { type Chapter, FIRST_CLIENT, type PlannedPop } from './pop-plan.ts'
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

const PHOTOS = 4
const METRE = 1 / 111_195
const FAR_M = 3300

type Kind = 'plain' | 'noData' | 'elsewhere' | 'waiting'

/** What becomes of a photo, by its place among those of its market. */
function kindOf({ chapters, client }: PlannedPop, chapter: Chapter, place: number): Kind {
  const isFirst = chapters[0] === chapter
  if (place === 2 && isFirst && client.name === FIRST_CLIENT) return 'elsewhere'
  if (place === 2 && !isFirst) return 'noData'
  return place === PHOTOS - 1 ? 'waiting' : 'plain'
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
  /** Which photo of its chapter this is. */
  place: number
  seed: number
}

/** The place of the phone: a few steps from the truck, or too far from it. */
function cameraOf({ shift, fixes, kind, place, seed }: Shot): FakeCameraData {
  const pick = seededIntegers(seed)
  const share = 0.12 + (0.76 * (place + pick(100) / 100)) / PHOTOS
  const at = shift.from + (shift.to - shift.from) * share
  const nearer = (one: Fix, other: Fix) => (Math.abs(other.at - at) < Math.abs(one.at - at) ? other : one)
  const fix = fixes.reduce(nearer)
  const aside = (20 + pick(60)) * METRE
  return {
    at: fix.at,
    offsetMinutes: utcOffsetMinutes(shift.zone, fix.at),
    latitude: fix.latitude + (kind === 'elsewhere' ? FAR_M * METRE : aside),
    longitude: fix.longitude + aside,
  }
}

const captionFor = (kind: Kind, seed: number) =>
  kind === 'noData' ? NO_DATA_CAPTION : kind === 'elsewhere' ? ELSEWHERE_CAPTION : demoCaption(seed)

/** Records the drives of a chapter's shifts, and adds the photos that their drivers send. */
export async function takePhotos(
  { db, blobs, signal }: Working,
  admin: Scope,
  { pop, chapter, seed }: { pop: PlannedPop; chapter: Chapter; seed: number },
): Promise<void> {
  for (const [turn, shift] of chapter.shifts.entries()) {
    const fixes = await recordPastDrive(db, shift)
    if (fixes.length === 0) continue
    const driver = await scopeOf(db, 'own', { uid: shift.driverUid })
    for (let place = turn; place < PHOTOS; place += chapter.shifts.length) {
      if (signal.aborted) return
      const kind = kindOf(pop, chapter, place)
      const number = seed + place
      const camera = cameraOf({ shift, fixes, kind, place, seed: number })
      const scene = { client: pop.client, seed: number, camera, isStripped: kind === 'noData' }
      const file = { name: `IMG_${4000 + number}.jpg`, content: await drawStreetPhoto(scene) }
      const given = { shiftUid: shift.uid, caption: captionFor(kind, number) }
      const [added] = await addPhotos({ db, blobs }, driver, given, [file])
      if (added?.error) throw new Error(`A photo of the demo was refused: ${added.error}`)
      const isApproved = pop.isPublished && (kind === 'plain' || kind === 'noData')
      if (isApproved && added?.photo?.status === 'waiting') {
        await photoRecords.update(db, admin, added.photo.uid, added.photo.version, { status: 'approved' })
      }
    }
    if (signal.aborted) return
  }
}
