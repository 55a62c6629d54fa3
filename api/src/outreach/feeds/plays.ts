import { Readable } from 'node:stream'
import { type feeds, HAS_MORE_HEADER, NEXT_CURSOR_HEADER, type QueryOf } from '@roadshow/contract'
import {
  FEED_START,
  type FeedOffset,
  type PlayStores,
  readPlayFeed,
  requireProgram,
  startOf,
} from '../../live/plays/index.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { Download } from '../../platform/http/download.ts'
import { exportFileName } from '../../platform/spreadsheet/file-name.ts'
import { sheetTypes } from '../../platform/spreadsheet/sheet.ts'
import { type FeedName, readCursor, writeCursor } from './cursor.ts'
import { adPlayBatch, feedCsv, feedLine } from './rules.ts'
import { sharedNow } from '../../platform/db/clock.ts'

type StartQuery = Pick<QueryOf<typeof feeds.playsCsv>, 'cursor' | 'since'>

function offsetToStart(feed: FeedName, { cursor, since }: StartQuery): FeedOffset {
  if (cursor !== undefined) return readCursor(feed, cursor)
  return since === undefined ? FEED_START : startOf(new Date(since).toISOString())
}

interface FeedFile {
  filename: string
  type: string
  text: string
}

/** A page of a feed. It is shown inline: a partner that asks every few minutes makes no export each time. */
export const feedAnswer = ({ filename, type, text }: FeedFile, cursor: string | null, hasMore: boolean): Download =>
  new Download(filename, type, Readable.from([Buffer.from(text)], { objectMode: false }), {
    inline: true,
    headers: {
      ...(cursor !== null && { [NEXT_CURSOR_HEADER]: cursor }),
      [HAS_MORE_HEADER]: String(hasMore),
      'cache-control': 'no-store',
    },
  })

export const feedFileName = (program: string, what: string, ending: string) =>
  `${exportFileName({ name: what, of: [program], days: [] })}.${ending}`

const formats = {
  csv: { type: sheetTypes.csv, write: feedCsv },
  jsonl: {
    type: 'application/jsonl; charset=utf-8',
    write: (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  },
}

/** A page of the play feed of a program. */
export async function playFeed(
  stores: PlayStores,
  scope: Scope,
  { program, format, ...query }: QueryOf<typeof feeds.playsCsv> & { program: string; format: keyof typeof formats },
): Promise<Download> {
  const { name } = await requireProgram(stores.db, scope, program)
  const feed = { kind: 'plays', program } as const
  const after = offsetToStart(feed, query)
  const page = await readPlayFeed(stores, { program, after, limit: query.limit, order: 'changes' })
  const lines = page.entries.map(({ id, offset, play }) =>
    feedLine({ id, changedAt: offset.at, cursor: writeCursor(feed, offset), play }),
  )
  const { type, write } = formats[format]
  const file = { filename: feedFileName(name, 'plays', format), type, text: write(lines) }
  return feedAnswer(file, writeCursor(feed, page.next), page.hasMore)
}

/** A page of plays in the shape of Google's ad plays, each play once. */
export async function adPlayFeed(
  stores: PlayStores,
  scope: Scope,
  { program, ...query }: QueryOf<typeof feeds.adPlays> & { program: string },
): Promise<Download> {
  const { name } = await requireProgram(stores.db, scope, program)
  const feed = { kind: 'adPlays', program } as const
  const after = offsetToStart(feed, query)
  const page = await readPlayFeed(stores, { program, after, limit: query.limit, order: 'firsts' })
  const { seller, impressionsPerPlay } = query
  const plays = page.entries.map(({ play }) => play)
  const batch = adPlayBatch(plays, { program, seller, impressionsPerPlay, now: await sharedNow(stores.db) })
  const filename = feedFileName(name, 'google-ad-plays', 'json')
  const file = { filename, type: 'application/json; charset=utf-8', text: JSON.stringify(batch) }
  return feedAnswer(file, writeCursor(feed, page.next), page.hasMore)
}
