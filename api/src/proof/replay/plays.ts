import {
  DAY_MS,
  playMarks,
  type PlayMark,
  type Replay,
  type ReplayPicture,
  type SidePlays,
  toSteps,
  type TruckSide,
  truckSides,
} from '@roadshow/contract'
import { sql } from 'kysely'
import {
  type PlayFilter,
  type PlayList,
  type PlayStores,
  readKeptSince,
  streamPlayGroups,
} from '../../live/plays/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import { dayOf } from '../../platform/db/partitions.ts'
import { longLivedFileUrl, longLivedUrl } from '../../platform/files/index.ts'
import type { ReplaySpan } from './span.ts'

interface Play {
  at: number
  side: TruckSide
  durationMs: number
  setUid: string
  sha256: string
  mark: PlayMark
}

const list: PlayList = {
  columns: sql`(extract(epoch from p.started_at) * 1000)::float8 as at, p.side, p.duration_ms as "durationMs",
    p.artwork_set_uid as "setUid", p.sha256, case when p.market_uid is null then 'unassigned' else p.grade end as mark`,
  joins: sql``,
}

const DEFAULTS = { page: 1, pageSize: 1, sort: 'startedAt' } as const

/** Which plays a span shows: staff see all of the truck, clients and drivers those of their shifts. */
function filtersOf({ truck, shifts, isOfShift, only }: ReplaySpan): PlayFilter[] {
  if (isOfShift || only) return [...new Set(shifts.map(({ uid }) => uid))].map((shift) => ({ ...DEFAULTS, shift }))
  const ofTruck = { ...DEFAULTS, truck: [truck.uid] }
  return [ofTruck, { ...ofTruck, isUnassigned: true }]
}

/** The days (UTC) that a span touches. */
function daysOf({ from, to }: ReplaySpan): string[] {
  const days: string[] = []
  for (let at = from; dayOf(at) <= dayOf(to - 1); at += DAY_MS) days.push(dayOf(at))
  return days
}

/** The plays of a span in their order, from the database and the archive. */
async function readPlays(stores: PlayStores, span: ReplaySpan): Promise<Play[]> {
  if (span.from >= span.to) return []
  const read = async (query: PlayFilter) => {
    const groups: Play[][] = []
    for await (const group of streamPlayGroups<Play>(stores, { query, days: daysOf(span) }, list))
      groups.push(group.filter(({ at }) => at >= span.from && at < span.to))
    return groups.flat()
  }
  const found = await Promise.all(filtersOf(span).map(read))
  return found.flat().toSorted((one, other) => one.at - other.at)
}

/** A file as a set shows it. */
type Shown = Pick<Play, 'setUid' | 'sha256'>

/** Finds the place of a file among the few that a day shows; thousands of plays ask. */
function placesOf(): { known: Shown[]; placeOf: (shown: Shown) => number } {
  const known: Shown[] = []
  const placeOf = ({ setUid, sha256 }: Shown) => {
    const place = known.findIndex((each) => each.sha256 === sha256 && each.setUid === setUid)
    return place < 0 ? known.push({ setUid, sha256 }) - 1 : place
  }
  return { known, placeOf }
}

/** The pictures of files, as far as they are still stored; undefined for a file that no set has any more. */
async function readPictures(db: Db, shown: readonly Shown[]): Promise<(ReplayPicture | undefined)[]> {
  if (shown.length === 0) return []
  const { rows } = await sql<Omit<ReplayPicture, 'url'> & File & { place: number }>`
    select s.place::int - 1 as place, w.name as artwork, g.name as program, f.uid,
           coalesce(f.thumbnail_blob is not null, false) as "hasThumbnail",
           coalesce(f.content_type like 'video/%', false) as "isVideo"
      from unnest(${shown.map(({ setUid }) => setUid)}::uuid[], ${shown.map(({ sha256 }) => sha256)}::text[])
           with ordinality s (set_uid, sha256, place)
      join artwork_set w on w.uid = s.set_uid join client_program g on g.uid = w.program_uid
      left join lateral (
        select uid, thumbnail_blob, content_type from stored_file
         where sha256 = s.sha256 and uid in (w.driver_side_artwork_uid, w.passenger_side_artwork_uid, w.rear_artwork_uid)
         limit 1) f on true`.execute(db)
  const found = new Map(
    rows.map(({ place, artwork, program, isVideo, ...file }) => [
      place,
      { artwork, program, url: urlOf(file, isVideo), isVideo },
    ]),
  )
  return shown.map((_, place) => found.get(place))
}

interface File {
  uid: string | null
  hasThumbnail: boolean
}

/** A video without a thumbnail has no picture. */
function urlOf({ uid, hasThumbnail }: File, isVideo: boolean): string | null {
  if (uid === null) return null
  if (hasThumbnail) return longLivedUrl(`files/${uid}/thumbnail`)
  return isVideo ? null : longLivedFileUrl(uid)
}

interface PlacedPlay extends Play {
  /** Where its file is among those that are shown. */
  place: number
}

/** The plays of each side as columns; pictures by their places among those that are there. */
function packSides(plays: readonly PlacedPlay[], pictures: readonly (ReplayPicture | undefined)[]): SidePlays[] {
  let count = 0
  const indexes = pictures.map((picture) => (picture ? count++ : undefined))
  const bySide = new Map(truckSides.map((side) => [side, emptySide(side)]))
  for (const { at, side, durationMs, mark, place } of plays) {
    const [columns, picture] = [bySide.get(side), indexes[place]]
    if (!columns || picture === undefined) continue
    columns.startedAt.push(Math.round(at))
    columns.durationMs.push(durationMs)
    columns.picture.push(picture)
    columns.mark.push(indexOfMark[mark])
  }
  return [...bySide.values()].map((columns) => ({ ...columns, startedAt: toSteps(columns.startedAt) }))
}

const emptySide = (side: TruckSide): SidePlays => ({ side, startedAt: [], durationMs: [], picture: [], mark: [] })
const indexOfMark = Object.fromEntries(playMarks.map((mark, index) => [mark, index])) as Record<PlayMark, number>

/** Why a span has no plays. */
async function playLogOf(db: Db, { truck, to }: ReplaySpan): Promise<Replay['playLog']> {
  if (truck.kind === 'printed') return 'printed'
  return to <= Date.parse(await readKeptSince(db)) ? 'old' : 'kept'
}

/** The plays of a span by side, and the pictures that they showed. */
export async function loadPlays(
  stores: PlayStores,
  span: ReplaySpan,
): Promise<Pick<Replay, 'plays' | 'pictures' | 'playLog'>> {
  const { known, placeOf } = placesOf()
  const plays = (await readPlays(stores, span)).map((play) => Object.assign(play, { place: placeOf(play) }))
  const pictures = await readPictures(stores.db, known)
  return {
    plays: packSides(plays, pictures),
    pictures: pictures.filter((picture) => picture !== undefined),
    playLog: plays.length > 0 ? 'kept' : await playLogOf(stores.db, span),
  }
}
