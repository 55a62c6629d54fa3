import { type BodyOf, type Program, programStatusLabel, type programs, statusesFrom } from '@roadshow/contract'
import { AppError } from '../app-error.ts'
import { holdClient } from '../clients/index.ts'
import { type Db, inTransaction } from '../db/connection.ts'
import type { Scope } from '../db/scope.ts'
import { knownMarkets, programRecords, saveMarkets } from './queries.ts'

type Input = BodyOf<typeof programs.create>

export const createProgram = (db: Db, scope: Scope, input: Input): Promise<Program> =>
  inTransaction(db, async (db) => {
    await check(db, input, undefined)
    const { uid } = await programRecords.create(db, scope, toRow(input))
    await saveMarkets(db, uid, input.markets)
    return programRecords.get(db, scope, uid)
  })

export const updateProgram = (db: Db, scope: Scope, uid: string, version: number, input: Input): Promise<Program> =>
  inTransaction(db, async (db) => {
    const current = await programRecords.get(db, scope, uid)
    // What an old version may become says nothing about the record as it is now.
    if (current.version !== version) throw new AppError('staleVersion')
    await check(db, input, current)
    await programRecords.update(db, scope, uid, version, toRow(input))
    await saveMarkets(db, uid, input.markets)
    return programRecords.get(db, scope, uid)
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
async function check(db: Db, input: Input, current: Program | undefined): Promise<void> {
  const fields: Record<string, string> = {}
  if (current && current.status !== 'draft' && current.client.uid !== input.clientUid) {
    fields['clientUid'] = 'Only a draft can go to another client.'
  } else if (!(await holdClient(db, input.clientUid))) {
    fields['clientUid'] = 'There is no such client.'
  }
  const allowed = statusesFrom(current?.status)
  if (!allowed.includes(input.status)) {
    const words = allowed.map((status) => programStatusLabel[status].toLowerCase()).join(' or ')
    fields['status'] = current ? `This program can only be ${words}.` : `A new program is ${words}.`
  }
  const wanted = input.markets.map(({ marketUid }) => marketUid)
  // A market that was deleted since stays with the programs that ran in it.
  const known = new Set([...(await knownMarkets(db, wanted)), ...(current?.markets ?? []).map(({ uid }) => uid)])
  for (const [index, uid] of wanted.entries()) {
    if (!known.has(uid)) fields[`markets.${index}.marketUid`] = 'There is no such market.'
  }
  if (Object.keys(fields).length > 0) throw new AppError('badInput', { fields })
}

/** The program that a record of another kind is to belong to. */
export async function requireProgram(db: Db, scope: Scope, uid: string): Promise<Program> {
  const found = await programRecords.find(db, scope, uid)
  if (!found) throw new AppError('badInput', { fields: { programUid: 'There is no such program.' } })
  return found
}
