import type { addresses, AddressSet, BodyOf } from '@roadshow/contract'
import { DatabaseError } from 'pg'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { artworkRecords } from '../artwork/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { programRecords } from '../programs/index.ts'
import { addressSetRecords, artworkSetsByName, getAddressSet, replaceAddresses } from './queries.ts'

type Input = BodyOf<typeof addresses.create>

export const createAddressSet = (db: Db, scope: Scope, input: Input): Promise<AddressSet> =>
  inTransaction(db, async (db) => {
    await programRecords.requireRefs(db, scope, { programUid: input.programUid })
    await check(db, scope, input, [])
    const { uid } = await addressSetRecords.create(db, scope, toRow(input))
    return saveAddresses(db, scope, uid, input)
  })

export const updateAddressSet = (
  db: Db,
  scope: Scope,
  uid: string,
  version: number,
  input: Input,
): Promise<AddressSet> =>
  inTransaction(db, async (db) => {
    const current = await getAddressSet(db, scope, uid)
    if (current.version !== version) throw new AppError('staleVersion')
    // A program that was deleted since keeps what it had.
    await programRecords.requireRefs(db, scope, { programUid: input.programUid }, [current.program.uid])
    const isSameProgram = current.program.uid === input.programUid
    await check(
      db,
      scope,
      input,
      isSameProgram ? current.addresses.flatMap(({ artworkSet }) => artworkSet?.uid ?? []) : [],
    )
    await addressSetRecords.update(db, scope, uid, version, toRow(input))
    return saveAddresses(db, scope, uid, input)
  })

const toRow = ({ programUid, name, note }: Input) => ({ program_uid: programUid, name, note })

/** An address may show an artwork set of its own program only; one that was deleted since stays where it is. */
async function check(db: Db, scope: Scope, { programUid, addresses: given }: Input, kept: string[]): Promise<void> {
  const shown = given.map(({ artworkSetUid }, index) => [`addresses.${index}.artworkSetUid`, artworkSetUid])
  const fields: Record<string, string> = await artworkRecords.missingRefs(db, scope, Object.fromEntries(shown), kept)
  const known = new Set([...(await artworkSetsByName(db, programUid)).values(), ...kept])
  const seen = new Set<string>()
  for (const [index, { uid, artworkSetUid }] of given.entries()) {
    if (artworkSetUid !== null && !known.has(artworkSetUid)) {
      fields[`addresses.${index}.artworkSetUid`] = 'The program has no such artwork set.'
    }
    if (uid !== undefined && seen.has(uid)) fields[`addresses.${index}.uid`] = 'This address is listed twice.'
    if (uid !== undefined) seen.add(uid)
  }
  refuseFields(fields)
}

async function saveAddresses(db: Db, scope: Scope, uid: string, input: Input): Promise<AddressSet> {
  try {
    await replaceAddresses(db, uid, input.addresses)
  } catch (error) {
    // PostgreSQL knows more pairs of equal letters than JavaScript.
    if (error instanceof DatabaseError && error.constraint === 'sd_address_label_once') {
      throw new AppError('labelTaken', { fields: { addresses: new AppError('labelTaken').message } })
    }
    throw error
  }
  return getAddressSet(db, scope, uid)
}
