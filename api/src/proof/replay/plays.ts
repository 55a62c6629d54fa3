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
import { type PlayFilter, type PlayList, type PlayStores, readKeptSince, streamPlayGroups } from '../../live/plays/index.ts'
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
    const plays: Play[] = []
    for await (const group of streamPlayGroups<Play>(stores, { query, days: daysOf(span) }, list))
      plays.push(...group.filter(({ at }) => at >= span.from && at < span.to))
    return plays
  }
  const found = await Promise.all(filtersOf(span).map(read))
  return found.flat().toSorted((one, other) => one.at - other.at)
}

const keyOf = ({ setUid, sha256 }: Pick<Play, 'setUid' | 'sha256'>) => `${setUid} ${sha256}`

/** The files that were shown, with their pictures as far as they are still stored. */
async function readPictures(db: Db, plays: readonly Play[]): Promise<Map<string, ReplayPicture>> {
  const shown = [...new Map(plays.map((play) => [keyOf(play), play])).values()]
  if (shown.length === 0) return new Map()
  const { rows } = await sql<Omit<ReplayPicture, 'url'> & Pick<Play, 'setUid' | 'sha256'> & File>`
    select s.set_uid as "setUid", s.sha256, w.name as artwork, g.name as program, f.uid,
           coalesce(f.thumbnail_blob is not null, false) as "hasThumbnail",
           coalesce(f.content_type like 'video/%', false) as "isVideo"
      from unnest(${shown.map(({ setUid }) => setUid)}::uuid[], ${shown.map(({ sha256 }) => sha256)}::text[]) s (set_uid, sha256)
      join artwork_set w on w.uid = s.set_uid join client_program g on g.uid = w.program_uid
      left join lateral (
        select uid, thumbnail_blob, content_type from stored_file
         where sha256 = s.sha256 and uid in (w.driver_side_artwork_uid, w.passenger_side_artwork_uid, w.rear_artwork_uid)
         limit 1) f on true`.execute(db)
  return new Map(
    rows.map(({ artwork, program, isVideo, ...file }) => [
      keyOf(file),
      { artwork, program, url: urlOf(file, isVideo), isVideo },
    ]),
  )
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

function packSide(side: TruckSide, plays: readonly (Play & { picture: number })[]): SidePlays {
  const own = plays.filter((play) => play.side === side)
  return {
    side,
    startedAt: toSteps(own.map(({ at }) => Math.round(at))),
    durationMs: own.map(({ durationMs }) => durationMs),
    picture: own.map(({ picture }) => picture),
    mark: own.map(({ mark }) => playMarks.indexOf(mark)),
  }
}

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
  const plays = await readPlays(stores, span)
  const pictures = await readPictures(stores.db, plays)
  const places = new Map([...pictures.keys()].map((key, index) => [key, index]))
  const known = plays.flatMap((play) => {
    const picture = places.get(keyOf(play))
    return picture === undefined ? [] : [{ ...play, picture }]
  })
  return {
    plays: truckSides.map((side) => packSide(side, known)),
    pictures: [...pictures.values()],
    playLog: plays.length > 0 ? 'kept' : await playLogOf(stores.db, span),
  }
}
