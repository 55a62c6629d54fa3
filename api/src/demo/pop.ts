import { inTransaction } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import { popRows, publishPop, writePopMarkets } from '../proof/pop/index.ts'
import type { PastPart } from './past-shifts.ts'
import { FIRST_CLIENT, peopleWithLogin } from './people.ts'
import { scopeOf, takePhotos, type Working } from './pop-photos.ts'
import { planPops, type PlannedPop } from './pop-plan.ts'
import { chapterWords, demoHeadlines, popText } from './pop-words.ts'

interface Options extends Working {
  brandName: string
}

/**
 * Gives every program of the demo that was on the road, or those of the first client, photos and a POP, and publishes some
 * of them. Done once; what a start leaves half done, the next one finishes.
 */
export async function addPops(options: Options, part: PastPart): Promise<void> {
  const { db, signal } = options
  const admin = await scopeOf(db, 'all', { email: peopleWithLogin[0]?.email ?? '' })
  for (const [index, pop] of (await planPops(db, part)).entries()) {
    if (signal.aborted) return
    if (part !== 'all' && pop.client.name !== FIRST_CLIENT) continue
    await addPop(options, admin, pop, index)
  }
}

async function addPop(options: Options, admin: Scope, pop: PlannedPop, index: number): Promise<void> {
  const { db, blobs, brandName, signal } = options
  const { uid, chapters, isPublished } = pop
  const published = db.selectFrom('pop_version').select('number').where('program_uid', '=', uid)
  const written = db.selectFrom('pop').select('version').where('uid', '=', uid)
  const { version } = await written.executeTakeFirstOrThrow()
  const isBegun = version > 1
  // Texts that a user has written since then are kept.
  if ((await published.executeTakeFirst()) || (isBegun && !isPublished)) return
  for (const [place, chapter] of chapters.entries()) {
    await takePhotos(options, admin, { pop, chapter, seed: index * 100 + place * 10 })
    if (signal.aborted) return
  }
  if (!isBegun) await writeWords(options, admin, pop, index)
  if (!isPublished) return
  const now = await written.executeTakeFirstOrThrow()
  await publishPop(db, admin, { uid, version: now.version, note: 'First publication.' }, { blobs, brandName })
}

const writeWords = ({ db }: Options, admin: Scope, { uid, name, client, chapters }: PlannedPop, index: number) =>
  inTransaction(db, async (db) => {
    const names = chapters.map(({ market }) => market.name)
    const headline = demoHeadlines[index % demoHeadlines.length] ?? ''
    await popRows.update(db, admin, uid, 1, { headline, text: popText(client.name, name, names) })
    const markets = chapters.map(({ market }, place) => ({
      marketUid: market.uid,
      ...chapterWords(place, market.name),
      startsOn: null,
      endsOn: null,
      isShown: true,
    }))
    await writePopMarkets(db, uid, markets)
  })
