import { createHash } from 'node:crypto'
import {
  POP_FORMAT,
  POP_FORMAT_WITH_IMPRESSIONS,
  POP_FORMAT_WITH_STOPS,
  type PopChapter,
  type PopDocument,
  type PopGrade,
  type PopImpressions,
  proposePopUrl,
  type PublicPhoto,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { AppError } from '../../../platform/runtime/app-error.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { MILES_VERSION } from '../../../live/telemetry/index.ts'
import { loadProgramImpressions } from '../../impressions/index.ts'
import { popMarketsOf } from './markets.ts'
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
  const shown = (await loadDocumentMarkets(db, programUid)).filter(({ isShown }) => isShown)
  const uids = shown.map(({ uid }) => uid)
  const { total, markets } = await loadPopFigures(db, programUid)
  const photos = await loadPhotos(db, programUid, uids)
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
      photos: photos.get(market.uid) ?? [],
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

interface ProgramRow {
  client: string
  name: string
  popUrl: string
  startsOn: string
  endsOn: string
  headline: string
  text: string
  cover: string | null
  logoSha256: string | null
  logoWidth: number | null
  logoHeight: number | null
}

async function loadProgram(db: Db, uid: string): Promise<ProgramRow> {
  const { rows } = await sql<ProgramRow>`
    select c.name as client, p.name, p.pop_url as "popUrl", p.starts_on as "startsOn", p.ends_on as "endsOn",
           o.headline, o.text, f.key as cover, l.sha256 as "logoSha256", l.width as "logoWidth", l.height as "logoHeight"
      from client_program p join client c on c.uid = p.client_uid join pop o on o.uid = p.uid
      left join pop_photo f on f.uid = o.cover_photo_uid
      left join stored_file l on l.uid = c.logo_file_uid and l.stored_at is not null
     where p.uid = ${uid} and p.deleted_at is null`.execute(db)
  if (!rows[0]) throw new AppError('notFound')
  return rows[0]
}

/** A logo is stored under the hash of its bytes, so that all versions with it share one permanent copy. */
const logoKey = (sha256: string) => documentHash(`logo ${sha256}`).slice(0, 32)

function logoOf({ logoSha256, logoWidth, logoHeight }: ProgramRow): PopDocument['logo'] {
  if (logoSha256 === null || logoWidth === null || logoHeight === null) return null
  return { key: logoKey(logoSha256), width: logoWidth, height: logoHeight, sha256: logoSha256 }
}

interface MarketRow {
  uid: string
  name: string
  state: string
  zone: string
  headline: string
  text: string
  startsOn: string | null
  endsOn: string | null
  isShown: boolean
}

const loadDocumentMarkets = async (db: Db, programUid: string): Promise<MarketRow[]> =>
  (
    await sql<MarketRow>`
      select c.uid, c.name, c.state, c.zone, c.headline, c.text, c.first_day as "startsOn", c.last_day as "endsOn",
             c.is_shown as "isShown"
        from client_program p cross join lateral ${popMarketsOf(sql`p.uid`)} c
       where p.uid = ${programUid} order by c.place`.execute(db)
  ).rows

function slugsOf(markets: readonly MarketRow[]): string[] {
  const used = new Set<string>()
  return markets.map(({ name, state }, index) => {
    const slug = proposePopUrl(`${name} ${state}`)
    // Names may differ only by a hyphen.
    const own = slug === '' || used.has(slug) ? `${slug || 'market'}-${index + 1}` : slug
    used.add(own)
    return own
  })
}

interface Size {
  width: number
  height: number
  sha256: string
}
interface PhotoRow {
  market: string
  key: string
  sizes: { small: Size; medium: Size; large: Size }
  blur: string
  caption: string
  takenAt: string | null
  grade: PopGrade
  reason: string
}

/** The approved photos in order, by the uid of the market. */
async function loadPhotos(db: Db, programUid: string, marketUids: string[]): Promise<Map<string, PublicPhoto[]>> {
  const { rows } = await sql<PhotoRow>`
    select f.market_uid as market, f.key, f.sizes, f.blur, f.caption, f.grade, f.reason,
           to_char(f.taken_at at time zone m.zone, 'YYYY-MM-DD HH24:MI:SS') as "takenAt"
      from pop_photo f join market m on m.uid = f.market_uid
     where f.program_uid = ${programUid} and f.market_uid = any(${marketUids}::uuid[])
       and f.deleted_at is null and f.status = 'approved'
     order by f.position, f.uid`.execute(db)
  const photos = new Map<string, PublicPhoto[]>(marketUids.map((uid) => [uid, []]))
  for (const { market, key, sizes, blur, caption, takenAt, grade, reason } of rows) {
    const { small, medium, large } = sizes
    const widths = { small: small.width, medium: medium.width, large: large.width }
    const picture = { key, width: large.width, height: large.height, sha256: large.sha256 }
    photos.get(market)?.push({ ...picture, widths, blur, caption, takenAt, grade, reason })
  }
  return photos
}
