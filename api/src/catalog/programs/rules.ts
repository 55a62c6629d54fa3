import {
  type BodyOf,
  type Program,
  type ProgramStatus,
  programStatusLabel,
  type programs,
  statusesFrom,
} from '@roadshow/contract'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { clientRecords } from '../clients/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { refuseIfPlanned, refuseIfPlannedElsewhere, refuseIfShown } from '../in-use/index.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { marketRecords } from '../markets/index.ts'
import { programRecords, saveMarkets } from './queries.ts'

type Input = BodyOf<typeof programs.create>

export const createProgram = (db: Db, scope: Scope, input: Input): Promise<Program> =>
  inTransaction(db, async (db) => {
    await check(db, scope, input, undefined)
    const { uid } = await programRecords.create(db, scope, toRow(input))
    await saveMarkets(db, uid, input.markets)
    return programRecords.get(db, scope, uid)
  })

export const updateProgram = (db: Db, scope: Scope, uid: string, version: number, input: Input): Promise<Program> =>
  inTransaction(db, async (db) => {
    const current = await programRecords.get(db, scope, uid)
    // What an old version may become says nothing about the record as it is now.
    if (current.version !== version) throw new AppError('staleVersion')
    await check(db, scope, input, current)
    await programRecords.update(db, scope, uid, version, toRow(input))
    await saveMarkets(db, uid, input.markets)
    await refuseIfPlannedElsewhere(db, uid)
    return programRecords.get(db, scope, uid)
  })

/** Deletes a program, unless shifts that are not over or its public page still need it. */
export const removeProgram = (db: Db, scope: Scope, uid: string): Promise<{ uid: string }> =>
  programRecords.removeUnless(db, scope, uid, async (db) => {
    await refuseIfPlanned(db, 'program_uid', uid, 'program')
    await refuseIfShown(db, 'uid', uid)
  })

const toRow = ({ clientUid, name, status, startsOn, endsOn, popUrl, note }: Input) => ({
  client_uid: clientUid,
  name,
  status,
  starts_on: startsOn,
  ends_on: endsOn,
  pop_url: popUrl,
  note,
})

/** Refuses what the schema cannot know: a client or market that is gone, and moves that a program cannot make. */
async function check(db: Db, scope: Scope, input: Input, current: Program | undefined): Promise<void> {
  const isMoved = current && current.status !== 'draft' && current.client.uid !== input.clientUid
  const marketFields = input.markets.map(({ marketUid }, index) => [`markets.${index}.marketUid`, marketUid])
  // A market that was deleted since stays with the programs that ran in it.
  const kept = current?.markets.map(({ uid }) => uid)
  refuseFields({
    ...(isMoved
      ? { clientUid: 'Only a draft can go to another client.' }
      : await clientRecords.missingRefs(db, scope, { clientUid: input.clientUid })),
    ...refusedMove(input.status, current?.status),
    ...(await marketRecords.missingRefs(db, scope, Object.fromEntries(marketFields), kept)),
  })
}

function refusedMove(to: ProgramStatus, from: ProgramStatus | undefined): { status?: string } {
  const allowed = statusesFrom(from)
  if (allowed.includes(to)) return {}
  const words = allowed.map((status) => programStatusLabel[status].toLowerCase()).join(' or ')
  return { status: from ? `This program can only be ${words}.` : `A new program is ${words}.` }
}
