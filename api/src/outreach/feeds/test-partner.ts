import { type ErrorBody, type FeedPlay, feeds, HAS_MORE_HEADER, NEXT_CURSOR_HEADER } from '@roadshow/contract'
import type { World } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { instantOfMicros, microsOf } from '../../live/plays/index.ts'
import { type FeedName, readCursor, writeCursor } from './cursor.ts'

const PASSED = `interval '20 minutes'`
const PASSED_MICROS = 20 * 60_000_000

/** A partner that reads the feed of a program now and then, keeps its cursor, and stores plays by their id. */
export class Partner {
  cursor: string | undefined
  /** Every line, in the order of its delivery. */
  readonly lines: FeedPlay[] = []
  readonly #world: World
  readonly #program: string
  readonly #token: string
  readonly #limit: number

  constructor(world: World, program: string, { token = world.people.admin.token, limit = 7 } = {}) {
    this.#world = world
    this.#program = program
    this.#token = token
    this.#limit = limit
  }

  /** Reads all pages and returns the new lines. */
  async poll(): Promise<FeedPlay[]> {
    const found: FeedPlay[] = []
    for (;;) {
      const { status, text, headers } = await this.#world.call(
        feeds.playLines,
        {
          params: { uid: this.#program },
          query: { limit: String(this.#limit), ...(this.cursor && { cursor: this.cursor }) },
        },
        { token: this.#token },
      )
      if (status !== 200) throw new Error((JSON.parse(text) as ErrorBody).error)
      const page = text.split('\n').filter(Boolean)
      if (page.length > 2 * this.#limit) throw new Error('The page is too long.')
      found.push(...page.map((line) => JSON.parse(line) as FeedPlay))
      this.cursor = String(headers[NEXT_CURSOR_HEADER])
      if (headers[HAS_MORE_HEADER] === 'false') break
    }
    this.lines.push(...found)
    return found
  }

  /** The plays that count, as the partner knows them: the newest line of each. */
  get counted(): (FeedPlay & { state: 'counted' })[] {
    const newest = new Map(this.lines.map((line) => [line.id, line]))
    return [...newest.values()].filter((line) => line.state === 'counted')
  }

  /** Moves the cursor into the past, as far as `letTimePass` moves the rows. */
  rewind(): void {
    if (this.cursor !== undefined) this.cursor = olderCursor({ kind: 'plays', program: this.#program }, this.cursor)
  }
}

/** A cursor that was given out twenty minutes earlier. */
export function olderCursor(feed: FeedName, cursor: string): string {
  const offset = readCursor(feed, cursor)
  return writeCursor(feed, { ...offset, at: instantOfMicros(microsOf(offset.at) - PASSED_MICROS) })
}

/** Makes everything that happened lately twenty minutes older, for the feeds and for partners alike. */
export async function letTimePass({ db }: World, ...partners: Partner[]): Promise<void> {
  const isRecent = (column: string) => sql.raw(`${column} > now() - interval '1 day'`)
  // In UTC the same everywhere: machines of a cluster compute it.
  await sql`update play set received_at = (received_at at time zone 'UTC' - ${sql.raw(PASSED)}) at time zone 'UTC'
             where ${isRecent('received_at')}`.execute(db)
  await sql`update play_correction set changed_at = changed_at - ${sql.raw(PASSED)},
              received_at = case when ${isRecent('received_at')} then received_at - ${sql.raw(PASSED)} else received_at end,
              flips = array(select case when ${isRecent('f')} then f - ${sql.raw(PASSED)} else f end from unnest(flips) f),
              billable_since = case when ${isRecent('billable_since')} then billable_since - ${sql.raw(PASSED)}
                                    else billable_since end
             where ${isRecent('changed_at')}`.execute(db)
  for (const partner of partners) partner.rewind()
}
