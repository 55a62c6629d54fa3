import { FEED_DELAY_MINUTES, type LoggedPlay } from '@roadshow/contract'
import { sql } from 'kysely'
import { inSnapshot } from '../../../platform/db/connection.ts'
import { settledUntil } from '../../../platform/jobs/since-watermark.ts'
import { playsOfJson } from '../archive/read.ts'
import type { PlayStores } from '../archive/stores.ts'
import { PLAY_COLUMNS, PLAY_JOINS } from '../log.ts'
import { type ArrivalQuery, readArrivals } from './arrivals.ts'
import {
  addArchivedCorrections,
  type FeedOrder,
  findCorrected,
  keyOfPlay,
  readCorrected,
  readCorrections,
} from './corrections.ts'
import { compareOffsets, endOf, type FeedOffset, microsOf, type FoundPlay, orderedAt, offsetOf } from './offsets.ts'

/** A play of a feed as it is now. */
export interface FedPlay extends LoggedPlay {
  sha256: string
}

/** An entry of a feed, at its offset in the order. */
interface FeedEntry {
  /** The same id as in the ad log. */
  id: string
  offset: FeedOffset
  /** Null if the play no longer counts for the program. */
  play: FedPlay | null
}

export interface PlayFeedPage {
  entries: FeedEntry[]
  /** Where the next page begins. */
  next: FeedOffset
  hasMore: boolean
}

export interface PlayFeedQuery extends Omit<ArrivalQuery, 'until'> {
  order: FeedOrder
}

/**
 * A page of the plays of a program in the order in which they arrived or were corrected. Everything up to `until` is
 * visible: transactions that began before have ended. So no play appears later at an offset that a reader has passed.
 */
export async function readPlayFeed(stores: PlayStores, given: PlayFeedQuery): Promise<PlayFeedPage> {
  const until = minutesBefore(await settledUntil(stores.db), FEED_DELAY_MINUTES)
  if (microsOf(given.after.at) >= microsOf(until)) return { entries: [], next: given.after, hasMore: false }
  let page = await readPage(stores, { ...given, until })
  for (let empty = 1; empty < MOST_EMPTY && page.hasMore && page.entries.length === 0; empty++) {
    page = await readPage(stores, { ...given, after: page.next, until })
  }
  return page
}

// Where all plays were corrected, those that arrived are delivered later: such pages are skipped, up to a few at once.
const MOST_EMPTY = 10

async function readPage(stores: PlayStores, query: PlayFeedQuery & ArrivalQuery): Promise<PlayFeedPage> {
  const { program, order, limit, until } = query
  const arrivals = await readArrivals(stores, query)
  const corrections = await inSnapshot(stores.db, async (db) => {
    const found = await readCorrections(db, query, order)
    const corrected = await findCorrected(db, program, arrivals.plays)
    return { found, corrected, plays: await readCorrected(db, program, found) }
  })
  await addArchivedCorrections(stores, corrections.plays, corrections.found)
  const arrived = arrivals.plays.filter((each) => !corrections.corrected.has(keyOfPlay(each)))
  const changed = corrections.found.flatMap((each): FoundPlay[] => {
    const play = corrections.plays.hot.get(keyOfPlay(each))
    // A play whose retention has ended is in no feed.
    return play === undefined ? [] : [{ ...each, play }]
  })
  const ends = [
    ...(arrivals.isFull ? [arrivals.plays.at(-1)] : []),
    ...(corrections.found.length === limit ? [corrections.found.at(-1)] : []),
  ].filter((end) => end !== undefined)
  const [end = orderedAt(endOf(until))] = ends.toSorted(compareOffsets)
  const plays = [...arrived, ...changed].filter((each) => compareOffsets(each, end) <= 0).toSorted(compareOffsets)
  return { entries: await nameEntries(stores, program, plays), next: offsetOf(end), hasMore: ends.length > 0 }
}

const minutesBefore = (at: string, minutes: number): string =>
  offsetOf({ micros: microsOf(at) - minutes * 60_000_000, device: '', playId: '' }).at

/** Plays with the names of their trucks, markets and artwork, in the given order. */
async function nameEntries({ db }: PlayStores, program: string, plays: readonly FoundPlay[]): Promise<FeedEntry[]> {
  const { rows } = await sql<FedPlay>`
    select ${PLAY_COLUMNS}, p.sha256 from ${playsOfJson(plays.map(({ play }) => play))} ${PLAY_JOINS}
     where p.program_uid = ${program}`.execute(db)
  const named = new Map(rows.map((row) => [row.uid, row]))
  return plays.map((each) => {
    const id = keyOfPlay(each)
    return { id, offset: offsetOf(each), play: named.get(id) ?? null }
  })
}
