import type { addresses, AddressSet, BodyOf, SdAddress } from '@roadshow/contract'
import { DatabaseError } from 'pg'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { artworkRecords } from '../artwork/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import type { Deletion } from '../../platform/deletion/index.ts'
import { refuseIfPlanned } from '../in-use/index.ts'
import { programRecords } from '../programs/index.ts'
import { addressSetRecords, artworkSetsByName, getAddressSet, replaceAddresses } from './queries.ts'
import { addressProblems } from './rules.ts'

type Input = BodyOf<typeof addresses.create>

export const createAddressSet = (db: Db, scope: Scope, input: Input): Promise<AddressSet> =>
  inTransaction(db, async (db) => {
    await programRecords.requireRefs(db, scope, { programUid: input.programUid })
    await refuseProblems(db, scope, input, [])
    const { uid } = await addressSetRecords.create(db, scope, toRow(input))
    return saveAddresses(db, scope, uid, input)
  })

export const updateAddressSet = (
  db: Db,
  scope: Scope,
  { uid, version, ...given }: BodyOf<typeof addresses.update>,
): Promise<AddressSet> =>
  inTransaction(db, async (db) => {
    const current = await getAddressSet(db, scope, uid)
    if (current.version !== version) throw new AppError('staleVersion')
    const input = { ...given, addresses: given.addresses ?? current.addresses.map(toAddressInput) }
    // A set keeps the program it has, even one that is deleted by now.
    await programRecords.requireRefs(db, scope, { programUid: input.programUid }, [current.program.uid])
    const isSameProgram = current.program.uid === input.programUid
    const keptArtwork = current.addresses.flatMap(({ artworkSet }) => artworkSet?.uid ?? [])
    await refuseProblems(db, scope, input, isSameProgram ? keptArtwork : [])
    await addressSetRecords.update(db, scope, uid, version, toRow(input))
    return saveAddresses(db, scope, uid, input)
  })

export const addressSetDeletion: Deletion = {
  kind: 'addressSet',
  records: addressSetRecords,
  refuse: (db, _scope, uid) => refuseIfPlanned(db, 'address_set_uid', uid, { what: 'address set' }),
  needed: { program_uid: ['client_program', 'program'] },
}

/** An address as the input that saves it again. */
const toAddressInput = ({ artworkSet, ...address }: SdAddress) => ({
  ...address,
  artworkSetUid: artworkSet?.uid ?? null,
})

const toRow = ({ programUid, name, note }: Input) => ({ program_uid: programUid, name, note })

/** An address keeps the artwork set it has, even one that is deleted by now. */
async function refuseProblems(db: Db, scope: Scope, input: Input, keptArtwork: string[]): Promise<void> {
  const references = input.addresses.map(
    ({ artworkSetUid }, index) => [`addresses.${index}.artworkSetUid`, artworkSetUid] as const,
  )
  const missing = await artworkRecords.missingRefs(db, scope, Object.fromEntries(references), keptArtwork)
  const ofProgram = await artworkSetsByName(db, input.programUid)
  refuseFields({ ...missing, ...addressProblems(input.addresses, new Set([...ofProgram.values(), ...keptArtwork])) })
}

async function saveAddresses(db: Db, scope: Scope, uid: string, input: Input): Promise<AddressSet> {
  await explainLabels(replaceAddresses(db, [{ uid, addresses: input.addresses }]))
  return getAddressSet(db, scope, uid)
}

async function explainLabels<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    // PostgreSQL treats more letters as equal than JavaScript does, so the form's own check may miss a repeated label.
    if (error instanceof DatabaseError && error.constraint === 'sd_address_label_once') {
      throw new AppError('labelTaken', { fields: { addresses: new AppError('labelTaken').message } })
    }
    throw error
  }
}

/** Locks the programs of new sets and the artwork of their addresses. */
async function requireParts(db: Db, scope: Scope, inputs: readonly Input[]): Promise<void> {
  const refs = (uids: readonly string[]) => Object.fromEntries(uids.map((uid) => [uid, uid]))
  const programs = await programRecords.missingRefs(db, scope, refs(inputs.map(({ programUid }) => programUid)))
  const artwork = await artworkRecords.missingRefs(
    db,
    scope,
    refs(inputs.flatMap(({ addresses }) => addresses.flatMap(({ artworkSetUid }) => artworkSetUid ?? []))),
  )
  const [program] = Object.values(programs)
  const [set] = Object.values(artwork)
  refuseFields({ ...(program && { programUid: program }), ...(set && { addresses: set }) })
}

/** Adds checked sets, such as those of a file, in a few statements. Needs a transaction. */
export async function addAddressSets(db: Db, scope: Scope, inputs: Input[]): Promise<string[]> {
  await requireParts(db, scope, inputs)
  const uids = await addressSetRecords.createMany(db, scope, inputs.map(toRow))
  const sets = inputs.map(({ addresses }, index) => ({ uid: uids[index] ?? '', addresses }))
  await explainLabels(replaceAddresses(db, sets))
  return uids
}

/** Changes checked sets in a few statements. Needs a transaction. */
export async function changeAddressSets(
  db: Db,
  scope: Scope,
  changes: { uid: string; version: number; input: Input }[],
): Promise<void> {
  await addressSetRecords.updateMany(
    db,
    scope,
    changes.map(({ uid, version, input }) => ({ uid, version, ...toRow(input) })),
  )
  await explainLabels(
    replaceAddresses(
      db,
      changes.map(({ uid, input: { addresses } }) => ({ uid, addresses })),
    ),
  )
}
