import { createHash } from 'node:crypto'
import {
  POP_FORMAT,
  POP_FORMAT_WITH_IMPRESSIONS,
  POP_FORMAT_WITH_STOPS,
  type PopChapter,
  type PopDocument,
  type PopImpressions,
  proposePopUrl,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { rowsAsTable } from '../../../platform/db/rows-as-table.ts'
import { MILES_VERSION } from '../../../live/telemetry/index.ts'
import { loadProgramImpressions } from '../../impressions/index.ts'
import { type ShownPhoto, toPublicPhoto } from '../../photos/index.ts'
import { groupBy } from '../../../platform/runtime/group-by.ts'
import { loadPopMarkets } from './markets.ts'
import { emptyMarketFigures, loadPopFigures } from './figures.ts'
import { loadRoutes } from './route-lines.ts'
import { loadPopStops } from './stops.ts'

interface Edition {
  brand: string
  /** 0: a preview. */
  version: number
  publishedAt: string
}

/** The document that would be published now, from the current records. */
export async function draftDocument(db: Db, programUid: string, edition: Edition): Promise<PopDocument> {
  const program = await loadProgram(db, programUid)
  const shown = (await loadPopMarkets(db, programUid)).filter(({ isShown }) => isShown)
  const uids = shown.map(({ uid }) => uid)
  const { total, markets } = await loadPopFigures(db, programUid)
  const photos = await loadPhotos(db, programUid, shown)
  const routes = await loadRoutes(db, programUid, uids)
  const stops = await loadPopStops(db, programUid, uids)
  const impressions = await loadProgramImpressions(db, programUid)
  const slugs = slugsOf(shown)
  const chapters = shown.map((market, index): PopChapter => {
    const { figures, days } = markets.get(market.uid) ?? emptyMarketFigures()
    return {
      slug: slugs[index] ?? '',
      name: market.name,
      state: market.state,
      zone: market.zone,
      headline: market.headline,
      text: market.text,
      startsOn: market.startsOn ?? program.startsOn,
      endsOn: market.endsOn ?? program.endsOn,
      figures,
      perDay: days,
      ...shownImpressions(impressions?.markets.get(market.uid)),
      routes: routes.get(market.uid) ?? [],
      ...(stops.has(market.uid) && { stops: stops.get(market.uid) }),
      photos: (photos.get(market.uid) ?? []).map(toPublicPhoto),
    }
  })
  const all = chapters.flatMap((chapter) => chapter.photos)
  // The hash covers the order of the keys.
  return {
    format: formatOf(Boolean(impressions?.total.shifts), stops.size > 0),
    version: edition.version,
    publishedAt: edition.publishedAt,
    brand: edition.brand,
    client: program.client,
    logo: logoOf(program),
    program: program.name,
    popUrl: program.popUrl,
    startsOn: program.startsOn,
    endsOn: program.endsOn,
    headline: program.headline,
    text: program.text,
    cover: (all.find(({ key }) => key === program.cover) ?? all[0])?.key ?? null,
    figures: total,
    ...shownImpressions(impressions?.total),
    photos: all.length,
    verifiedPhotos: all.filter(({ grade }) => grade === 'verified').length,
    milesAlgorithm: MILES_VERSION,
    chapters,
  }
}

/** Versions without estimated impressions or planned stops keep the format of before. */
function formatOf(hasImpressions: boolean, hasStops: boolean): PopDocument['format'] {
  if (hasImpressions) return POP_FORMAT_WITH_IMPRESSIONS
  return hasStops ? POP_FORMAT_WITH_STOPS : POP_FORMAT
}

/** Impressions as a document has them: none where no shift has an estimate. */
function shownImpressions(found: PopImpressions | undefined): { impressions?: PopImpressions } {
  if (!found || found.shifts === 0) return {}
  const { low, likely, high, shifts, shiftsWithout, methods } = found
  return { impressions: { low, likely, high, shifts, shiftsWithout, methods } }
}

/** The exact text that is stored and hashed. */
export const documentText = (document: object): string => JSON.stringify(document)

export const documentHash = (text: string): string => createHash('sha256').update(text).digest('hex')

async function loadProgram(db: Db, uid: string) {
  const program = await db
    .selectFrom('client_program as p')
    .innerJoin('client as c', 'c.uid', 'p.client_uid')
    .innerJoin('pop as o', 'o.uid', 'p.uid')
    .leftJoin('pop_photo as f', 'f.uid', 'o.cover_photo_uid')
    .leftJoin('stored_file as l', (join) =>
      join.onRef('l.uid', '=', 'c.logo_file_uid').on('l.stored_at', 'is not', null),
    )
    .select(['c.name as client', 'p.name', 'p.pop_url as popUrl', 'p.starts_on as startsOn', 'p.ends_on as endsOn'])
    .select(['o.headline', 'o.text', 'f.key as cover', 'l.sha256', 'l.width', 'l.height'])
    .where('p.uid', '=', uid)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!program) throw new AppError('notFound')
  return program
}

/** A logo is stored under the hash of its bytes, so that all versions with it share one permanent copy. */
const logoKey = (sha256: string) => documentHash(`logo ${sha256}`).slice(0, 32)

function logoOf({ sha256, width, height }: Awaited<ReturnType<typeof loadProgram>>): PopDocument['logo'] {
  return sha256 === null || width === null || height === null ? null : { key: logoKey(sha256), width, height, sha256 }
}

function slugsOf(markets: readonly Pick<PopChapter, 'name' | 'state'>[]): string[] {
  const used = new Set<string>()
  return markets.map(({ name, state }, index) => {
    const slug = proposePopUrl(`${name} ${state}`)
    // Names may differ only by a hyphen.
    const own = slug === '' || used.has(slug) ? `${slug || 'market'}-${index + 1}` : slug
    used.add(own)
    return own
  })
}

/** The approved photos in order, by the uid of the market; all times of a chapter are in its zone. */
async function loadPhotos(db: Db, programUid: string, markets: readonly { uid: string; zone: string }[]) {
  const zones = rowsAsTable('m', markets, { uid: ['uuid', ({ uid }) => uid], zone: ['text', ({ zone }) => zone] })
  const { rows } = await sql<ShownPhoto & { market: string }>`
    select f.market_uid as market, f.key, f.sizes, f.blur, f.caption, f.grade, f.reason,
           to_char(f.taken_at at time zone m.zone, 'YYYY-MM-DD HH24:MI:SS') as "takenAt"
      from pop_photo f join ${zones} on m.uid = f.market_uid
     where f.program_uid = ${programUid} and f.deleted_at is null and f.status = 'approved'
     order by f.position, f.uid`.execute(db)
  return groupBy(rows, ({ market }) => market)
}
