import {
  addDays,
  type BodyOf,
  type BookedLineInput,
  daysBetween,
  type Program,
  type programs,
  wrongBookedLines,
} from '@roadshow/contract'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { clientRecords } from '../clients/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { type Deletion, refuseUntilRestored } from '../../platform/deletion/index.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { refuseIfPlanned, refuseIfPlannedElsewhere, refuseIfPublic } from '../in-use/index.ts'
import { marketRecords } from '../markets/index.ts'
import { deletedMarketsOf, programRecords, saveParts } from './queries.ts'
import { programProblems } from './rules.ts'

type Input = BodyOf<typeof programs.create>

export const createProgram = (db: Db, scope: Scope, input: Input): Promise<Program> =>
  inTransaction(db, async (db) => {
    await refuseProblems(db, scope, input)
    const { uid } = await programRecords.create(db, scope, toRow(input))
    await saveParts(db, [{ ...input, uid }])
    return programRecords.get(db, scope, uid)
  })

export const updateProgram = (
  db: Db,
  scope: Scope,
  { uid, version, ...input }: BodyOf<typeof programs.update>,
): Promise<Program> =>
  inTransaction(db, async (db) => {
    const current = await programRecords.get(db, scope, uid)
    // The allowed changes depend on the current status, so an old version is refused first.
    if (current.version !== version) throw new AppError('staleVersion')
    await refuseProblems(db, scope, input, current)
    await programRecords.update(db, scope, uid, version, toRow(input))
    await saveParts(db, [{ ...input, uid }])
    await refuseIfPlannedElsewhere(db, [uid])
    return programRecords.get(db, scope, uid)
  })

/** Locks the clients and markets of programs, and refuses those that are missing. */
async function requireParts(db: Db, scope: Scope, inputs: readonly Input[]): Promise<void> {
  const refs = (uids: readonly string[]) => Object.fromEntries(uids.map((uid) => [uid, uid]))
  const clients = await clientRecords.missingRefs(db, scope, refs(inputs.map(({ clientUid }) => clientUid)))
  const markets = await marketRecords.missingRefs(
    db,
    scope,
    refs(inputs.flatMap(({ markets }) => markets.map(({ marketUid }) => marketUid))),
  )
  const [client] = Object.values(clients)
  const [market] = Object.values(markets)
  refuseFields({ ...(client && { clientUid: client }), ...(market && { markets: market }) })
}

/** Rows that all have the same columns. */
const toRows = (inputs: readonly Input[]) =>
  inputs.map((input) => toRow({ ...input, spotSeconds: input.spotSeconds ?? null }))

/** Adds checked programs, such as those of a file, in a few statements. Needs a transaction. */
export async function addPrograms(db: Db, scope: Scope, inputs: Input[]): Promise<string[]> {
  await requireParts(db, scope, inputs)
  const uids = await programRecords.createMany(db, scope, toRows(inputs))
  await saveParts(
    db,
    inputs.map((input, index) => ({ ...input, uid: uids[index] ?? '' })),
  )
  return uids
}

/** Changes checked programs in a few statements. Needs a transaction. A program keeps the markets it has, even deleted ones. */
export async function changePrograms(
  db: Db,
  scope: Scope,
  changes: { uid: string; version: number; input: Input }[],
): Promise<void> {
  const rows = toRows(changes.map(({ input }) => input))
  await programRecords.updateMany(
    db,
    scope,
    changes.flatMap(({ uid, version }, index) => {
      const row = rows[index]
      return row ? { ...row, uid, version } : []
    }),
  )
  await saveParts(
    db,
    changes.map(({ uid, input }) => ({ ...input, uid })),
  )
  await refuseIfPlannedElsewhere(
    db,
    changes.map(({ uid }) => uid),
  )
}

const LAST_DAY = '2199-12-31'

/** Adds a draft that is planned like a program, with every date moved by as much as the start. */
export const copyProgram = (
  db: Db,
  scope: Scope,
  { uid, name, popUrl, startsOn }: BodyOf<typeof programs.copy>,
): Promise<Program> =>
  inTransaction(db, async (db) => {
    const program = await programRecords.get(db, scope, uid)
    const days = daysBetween(program.startsOn, startsOn)
    const moved = (date: string) => addDays(date, days)
    if (moved(program.endsOn) > LAST_DAY) refuseFields({ startsOn: 'The copy would end after 2199.' })
    return createProgram(db, scope, {
      clientUid: program.client.uid,
      name,
      status: 'draft',
      startsOn,
      endsOn: moved(program.endsOn),
      popUrl,
      markets: program.markets.map((market) => ({
        marketUid: market.uid,
        startsOn: market.startsOn && moved(market.startsOn),
        endsOn: market.endsOn && moved(market.endsOn),
      })),
      bookedLines: program.bookedLines.map((line) => ({
        ...toLineInput(line),
        startsOn: moved(line.startsOn),
        endsOn: moved(line.endsOn),
      })),
      spotSeconds: program.spotSeconds,
      note: program.note,
    })
  })

/** Open shifts and its public page still need a program. Partners get an event when it is deleted or restored. */
export const programDeletion: Deletion = {
  kind: 'program',
  records: programRecords,
  needed: { client_uid: ['client', 'client'] },
  async refuse(db, _scope, uid) {
    await refuseIfPlanned(db, 'program_uid', uid, { what: 'program' })
    await refuseIfPublic(db, 'uid', uid)
  },
  afterRemove: (db, _scope, uid) => recordProgramEvent(db, 'program.deleted', uid),
  async refuseRestore(db, _scope, uid) {
    const [gone] = await deletedMarketsOf(db, uid)
    if (gone) await refuseUntilRestored(db, { table: 'market', uid: gone.uid, what: `market ${gone.name}` })
  },
  afterRestore: (db, _scope, uid) => recordProgramEvent(db, 'program.restored', uid),
}

async function recordProgramEvent(db: Db, type: 'program.deleted' | 'program.restored', uid: string): Promise<void> {
  const program = await db
    .selectFrom('client_program')
    .select(['name', 'client_uid'])
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  const data = { programUid: uid, program: program.name }
  await recordEvents(db, [{ type, object: `program ${uid}`, clientUid: program.client_uid, data }])
}

const toRow = ({ clientUid, name, status, startsOn, endsOn, popUrl, spotSeconds, note }: Input) => ({
  client_uid: clientUid,
  name,
  status,
  starts_on: startsOn,
  ends_on: endsOn,
  pop_url: popUrl,
  ...(spotSeconds !== undefined && { spot_seconds: spotSeconds }),
  note,
})

async function refuseProblems(db: Db, scope: Scope, input: Input, current?: Program): Promise<void> {
  const problems = programProblems(input, current && { status: current.status, clientUid: current.client.uid })
  const marketFields = input.markets.map(({ marketUid }, index) => [`markets.${index}.marketUid`, marketUid])
  // A program keeps the markets it has, even deleted ones.
  const keptMarkets = current?.markets.map(({ uid }) => uid)
  refuseFields({
    ...(problems.clientUid ? {} : await clientRecords.missingRefs(db, scope, { clientUid: input.clientUid })),
    ...(await marketRecords.missingRefs(db, scope, Object.fromEntries(marketFields), keptMarkets)),
    ...keptLineProblem(input, current),
    ...problems,
  })
}

const toLineInput = ({ market, ...line }: Program['bookedLines'][number]): BookedLineInput => ({
  ...line,
  marketUid: market.uid,
})

/** A caller that does not name the booked lines must leave them their markets and days. */
function keptLineProblem(input: Input, current: Program | undefined): { bookedLines?: string } {
  if (!current || input.bookedLines) return {}
  const [wrong] = wrongBookedLines(input, current.bookedLines.map(toLineInput))
  return wrong ? { bookedLines: 'Its booked lines need the markets and dates it has. Change them, too.' } : {}
}
