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
  type Correction,
  countChanges,
  type FeedOrder,
  findCorrected,
  keyOfPlay,
  type PlayChanges,
  readCorrected,
  readCorrections,
} from './corrections.ts'
import {
  compareOffsets,
  endOf,
  type FeedOffset,
  type FirstPlays,
  microsOf,
  type FoundPlay,
  orderedAt,
  offsetOf,
} from './offsets.ts'

/** A play of a feed as it is now. */
export interface FedPlay extends Omit<LoggedPlay, 'program' | 'marketCenter' | 'verifiedBy'> {
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
  /** What the entries are to a reader who has read everything before them. */
  changes: PlayChanges
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
  if (microsOf(given.after.at) >= microsOf(until))
    return { entries: [], changes: NO_CHANGES, next: given.after, hasMore: false }
  let page = await readPage(stores, { ...given, until })
  for (let empty = 1; empty < MOST_EMPTY && page.hasMore && page.entries.length === 0; empty++) {
    const { changes } = page
    page = await readPage(stores, { ...given, after: page.next, until })
    page.changes = addChanges(changes, page.changes)
  }
  return page
}

const NO_CHANGES: PlayChanges = { added: 0, corrected: 0, withdrawn: 0 }

const addChanges = (one: PlayChanges, other: PlayChanges): PlayChanges => ({
  added: one.added + other.added,
  corrected: one.corrected + other.corrected,
  withdrawn: one.withdrawn + other.withdrawn,
})

// Where all plays were corrected, those that arrived are delivered later: such pages are skipped, up to a few at once.
const MOST_EMPTY = 10

async function readPage(stores: PlayStores, query: PlayFeedQuery & ArrivalQuery): Promise<PlayFeedPage> {
  const { program, order, until } = query
  const arrivals = await readArrivals(stores, query)
  const { found, corrected, plays, end, hasMore, changes } = await inSnapshot(stores.db, async (db) => {
    const found = await readCorrections(db, query, order)
    const ends = endsOf(query, arrivals, found)
    const end = ends[0] ?? orderedAt(endOf(until))
    return {
      found,
      corrected: await findCorrected(db, program, arrivals.plays),
      plays: await readCorrected(db, program, found),
      end,
      hasMore: ends.length > 0,
      // Of the same moment as the corrections: each play is either one of them or not.
      changes:
        order === 'changes' ? await countChanges(db, program, { after: query.after, end: offsetOf(end) }) : NO_CHANGES,
    }
  })
  await addArchivedCorrections(stores, plays, found)
  const isWithin = (each: Omit<FoundPlay, 'play'>) => compareOffsets(each, end) <= 0
  const arrived = arrivals.plays.filter((each) => !corrected.has(keyOfPlay(each)) && isWithin(each))
  const changed = found.flatMap((each): FoundPlay[] => {
    const play = plays.hot.get(keyOfPlay(each))
    // A play whose retention has ended is in no feed.
    return play === undefined || !isWithin(each) ? [] : [{ ...each, play }]
  })
  const entries = await nameEntries(stores, program, [...arrived, ...changed].toSorted(compareOffsets))
  const unknown = new Set(found.filter(({ isComplete }) => !isComplete).map(keyOfPlay))
  return {
    entries,
    changes: addChanges(changes, changesOf(entries, arrived.length, unknown)),
    next: offsetOf(end),
    hasMore,
  }
}

/** Where the sources of a page that have more end, the first one in front. */
const endsOf = ({ limit }: ArrivalQuery, arrivals: FirstPlays, found: readonly Correction[]) =>
  [...(arrivals.isFull ? [arrivals.plays.at(-1)] : []), ...(found.length === limit ? [found.at(-1)] : [])]
    .filter((end) => end !== undefined)
    .toSorted(compareOffsets)

/** Plays that arrived are new; of corrections whose changes are not known, those that still count are corrected. */
const changesOf = (entries: readonly FeedEntry[], arrived: number, unknown: ReadonlySet<string>): PlayChanges => {
  const ofUnknown = entries.filter(({ id }) => unknown.has(id))
  const withdrawn = ofUnknown.filter(({ play }) => play === null).length
  return { added: arrived, corrected: ofUnknown.length - withdrawn, withdrawn }
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
