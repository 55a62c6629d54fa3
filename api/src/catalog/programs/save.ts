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
import { type Deletion, refuseToRestore } from '../../platform/deletion/index.ts'
import { recordEvents } from '../../platform/outbox/index.ts'
import { refuseIfPlanned, refuseIfPlannedElsewhere, refuseIfPublic } from '../in-use/index.ts'
import { marketRecords } from '../markets/index.ts'
import { deletedMarketsOf, programRecords, removeOtherLines, saveLines, saveMarkets } from './queries.ts'
import { programProblems } from './rules.ts'

type Input = BodyOf<typeof programs.create>

export const createProgram = (db: Db, scope: Scope, input: Input): Promise<Program> =>
  inTransaction(db, async (db) => {
    await refuseProblems(db, scope, input)
    const { uid } = await programRecords.create(db, scope, toRow(input))
    await saveMarkets(db, uid, input.markets)
    await saveLines(db, uid, input.bookedLines ?? [])
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
    if (input.bookedLines) await removeOtherLines(db, uid, input.bookedLines)
    await saveMarkets(db, uid, input.markets)
    await saveLines(db, uid, input.bookedLines ?? [])
    await refuseIfPlannedElsewhere(db, uid)
    return programRecords.get(db, scope, uid)
  })

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
    if (gone) refuseToRestore(`Its market ${gone} was deleted. Restore that first.`)
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
