import { type Db, inTransaction } from '../db/connection.ts'
import type { JobContext } from '../jobs/define-job.ts'
import type { Interval } from '../jobs/job-table.ts'
import { recordEvents } from '../outbox/events.ts'
import { evaluate, type Verdict } from './rules.ts'
import { forgetWatched, loadWatched, raisedAmong, storeWatched } from './watched.ts'

/** A condition that holds for a subject at present, such as an offline player. */
export interface Found {
  kind: string
  /** One at a time is raised for each kind and subject. */
  subject: string
  /** How long it must hold before it is raised; not at all by default. */
  raiseAfterMs?: number
}

/** What raising and resolving a kind of condition does, in the transaction of the verdict. */
export interface Condition<F extends Found> {
  /** How long it must be gone before it is resolved; not at all by default. */
  resolveAfterMs?: number
  /**
   * The subjects with an open record, where raising makes records that people can resolve and reopen. Constraints of
   * their table let each be raised and resolved once. Without records the watcher remembers what it raised.
   */
  openSubjects?(db: Db): Promise<readonly string[]>
  raise(db: Db, found: readonly F[], at: Date): Promise<unknown>
  /** Brings records up to date whose condition still holds. */
  keep?(db: Db, found: readonly F[]): Promise<unknown>
  resolve?(db: Db, subjects: readonly string[], at: Date): Promise<unknown>
}

type LookContext = Pick<JobContext, 'db' | 'now'> & { env: Partial<JobContext['env']> }

/** Conditions that are looked for together. */
export interface Watch {
  name: string
  every: Interval
  /** The beginning of the subjects that only this node can see: every node looks at its own. */
  ofNode?: string
  /** Looks once, and raises and resolves what is due. */
  look(context: LookContext): Promise<void>
}

interface WatchDeclaration<F extends Found> extends Omit<Watch, 'look'> {
  find: (context: LookContext) => Promise<readonly F[]>
  conditions: { [Kind in F['kind']]: Condition<F & { kind: Kind }> }
}

/** Declares conditions that a domain watches: how they are found, and what raising and resolving them does. */
export const defineWatch = <F extends Found>({ conditions, find, ...watch }: WatchDeclaration<F>): Watch => ({
  ...watch,
  async look(context) {
    const found = await find(context)
    await inTransaction(context.db, async (db) => {
      for (const [kind, condition] of Object.entries<Condition<F>>(conditions)) {
        const ofKind = found.filter((each) => each.kind === kind)
        await applyVerdicts(db, condition, ofKind, { kind, ofNode: watch.ofNode, now: context.now })
      }
    })
  },
})

/** Decides about each subject of a kind, and does what follows from it. */
async function applyVerdicts<F extends Found>(
  db: Db,
  condition: Condition<F>,
  found: readonly F[],
  { kind, ofNode, now }: { kind: string; ofNode: string | undefined; now: number },
): Promise<void> {
  const at = new Date(now)
  const watched = await loadWatched(db, kind, ofNode)
  const raised = condition.openSubjects ? new Set(await condition.openSubjects(db)) : raisedAmong(watched)
  const holding = new Map(found.map((each) => [each.subject, each]))
  const to: Record<Verdict, string[]> = { wait: [], raise: [], keep: [], resolve: [], forget: [] }
  for (const subject of new Set([...watched.keys(), ...raised, ...holding.keys()])) {
    const facts = { watched: watched.get(subject), holds: holding.has(subject), isRaised: raised.has(subject) }
    const { raiseAfterMs = 0 } = holding.get(subject) ?? {}
    to[evaluate({ ...facts, raiseAfterMs, resolveAfterMs: condition.resolveAfterMs ?? 0, now })].push(subject)
  }
  const foundOf = (subjects: Iterable<string>) => [...subjects].flatMap((subject) => holding.get(subject) ?? [])

  const forgotten = await forgetWatched(db, kind, [...to.resolve, ...to.forget])
  const resolved = to.resolve.filter((subject) => forgotten.has(subject) || !watched.has(subject))
  if (resolved.length > 0) await condition.resolve?.(db, resolved, at)
  const claimed = await storeWatched(db, kind, to.raise, { at, isRaised: !condition.openSubjects })
  if (claimed.size > 0) await condition.raise(db, foundOf(claimed), at)
  const kept = foundOf(to.keep)
  if (kept.length > 0) await condition.keep?.(db, kept)

  const watching = [...to.wait, ...to.keep]
  const present = watching.filter((each) => holding.has(each) && watched.get(each)?.goneSince !== null)
  await storeWatched(db, kind, present, { at })
  const gone = watching.filter((each) => !holding.has(each) && typeof watched.get(each)?.goneSince !== 'number')
  await storeWatched(db, kind, gone, { at, goneSince: at })
}

export interface FoundEvent<Kind extends string = string> extends Found {
  kind: Kind
  clientUid?: string | null
  data: object
}

/** A condition that makes an event of its kind when it begins and, where people need to know, one when it is over. */
export const eventCondition = (overType?: string): Condition<FoundEvent> => ({
  raise: (db, found) =>
    recordEvents(
      db,
      found.map(({ kind, subject, ...event }) => ({ ...event, type: kind, object: subject })),
    ),
  ...(overType !== undefined && {
    resolve: (db, subjects) =>
      recordEvents(
        db,
        subjects.map((object) => ({ type: overType, object })),
      ),
  }),
})
