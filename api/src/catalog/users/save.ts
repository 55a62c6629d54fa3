import type { BodyOf, User, users } from '@roadshow/contract'
import { AppError, refuseFields } from '../../platform/runtime/app-error.ts'
import { clientRecords } from '../clients/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { claimFile, storeUploadedPicture } from '../../platform/files/index.ts'
import type { App } from '../../platform/http/app.ts'
import type { ReceivedFile } from '../../platform/http/multipart.ts'
import type { Deletion } from '../../platform/deletion/index.ts'
import { refuseIfPlanned } from '../in-use/index.ts'
import { deletedByEmail, restoreUsers, setPayRates, setPayRatesOf, userByEmail, userRecords } from './queries.ts'
import { emailProblem, invitedClientUser, photoProblems, userRemovalProblem } from './rules.ts'

type Input = BodyOf<typeof users.create>

async function refuseTakenEmail(db: Db, { actor }: Scope, email: string): Promise<void> {
  const problem = emailProblem(await userByEmail(db, email), actor)
  if (problem) throw problem
}

async function toRow(
  db: Db,
  scope: Scope,
  { payRates: _rates, photoFileUid, clientUid, payrollId, language, ...input }: Input,
) {
  await clientRecords.requireRefs(db, scope, { clientUid })
  return {
    ...input,
    client_uid: clientUid,
    photo_file_uid: photoFileUid,
    ...(payrollId !== undefined && { payroll_id: payrollId }),
    ...(language !== undefined && { language }),
  }
}

/** Stores the photo that came with a form. A refused photo is reported at the form's field. */
export async function storeReceivedPhoto(app: App, scope: Scope, [file]: ReceivedFile[]): Promise<string | undefined> {
  if (!file) return undefined
  try {
    const { uid } = await storeUploadedPicture(app, scope, { purpose: 'photo', ...file })
    return uid
  } catch (error) {
    if (error instanceof AppError)
      throw new AppError(error.code, { text: error.message, fields: { photo: error.message } })
    throw error
  }
}

const claimPhoto = (db: Db, scope: Scope, uid: string) =>
  claimFile(db, scope, { uid, purpose: 'photo', field: 'photo' })

/** Adds a user with pay rates and photo. */
export const createUser = (db: Db, scope: Scope, input: Input, photo: string | undefined): Promise<User> =>
  inTransaction(db, async (db) => {
    refuseFields(photoProblems(input))
    await refuseTakenEmail(db, scope, input.email)
    if (photo) await claimPhoto(db, scope, photo)
    const row = await toRow(db, scope, { ...input, photoFileUid: photo ?? null })
    const { userUid } = await userRecords.create(db, scope, row)
    await setPayRates(db, userUid, input.payRates)
    return userRecords.get(db, scope, userUid)
  })

/** Changes a user with pay rates and photo. */
export const updateUser = (
  db: Db,
  scope: Scope,
  { userUid, version, ...input }: BodyOf<typeof users.update>,
  photo: string | undefined,
): Promise<User> =>
  inTransaction(db, async (db) => {
    const current = await userRecords.get(db, scope, userUid)
    const { photoFileUid } = input
    refuseFields(photoProblems({ photoFileUid, version }, current))
    if (input.email !== current.email.toLowerCase()) await refuseTakenEmail(db, scope, input.email)
    if (photo) await claimPhoto(db, scope, photo)
    const row = await toRow(db, scope, { ...input, photoFileUid: photo ?? photoFileUid })
    await userRecords.update(db, scope, userUid, version, row)
    await setPayRates(db, userUid, input.payRates)
    return userRecords.get(db, scope, userUid)
  })

interface UserChange<Changed> {
  uid: string
  version: number
  input: Changed
}

/** Rows of users with their photos as they are. Their clients stay locked until the transaction ends. */
async function toRows(db: Db, scope: Scope, inputs: readonly Input[]) {
  const clientUids = [...new Set(inputs.flatMap(({ clientUid }) => clientUid ?? []))]
  const missing = await clientRecords.missingRefs(db, scope, Object.fromEntries(clientUids.map((uid) => [uid, uid])))
  const [sentence] = Object.values(missing)
  if (sentence) refuseFields({ clientUid: sentence })
  return inputs.map(({ payRates: _rates, photoFileUid, clientUid, payrollId, language, ...input }) => ({
    ...input,
    client_uid: clientUid,
    photo_file_uid: photoFileUid,
    payroll_id: payrollId ?? '',
    language: language ?? null,
  }))
}

/**
 * Adds users who are not invited yet, such as those of a file. Deleted ones who never came return as what is given: an
 * email address belongs to one user for good, and a file that was undone is imported again. Needs a transaction.
 */
export async function addUsers(db: Db, scope: Scope, inputs: Input[]): Promise<string[]> {
  const emailOf = ({ email }: { email: string }) => email.toLowerCase()
  const gone = (await deletedByEmail(db, inputs.map(emailOf))).filter(({ neverCame }) => neverCame)
  const goneUids = new Map(gone.map((user) => [emailOf(user), user.uid]))
  const uidOf = (input: Input) => goneUids.get(emailOf(input))
  const restored = await restoreUsers(db, scope, [...goneUids.values()])
  const versions = new Map(restored.map(({ uid, version }) => [uid, version]))
  const changes = inputs.flatMap((input) => {
    const uid = uidOf(input)
    const version = versions.get(uid ?? '')
    return uid === undefined || version === undefined ? [] : [{ uid, version, input }]
  })
  if (changes.length > 0) await changeUsers(db, scope, changes)
  const added = inputs.filter((input) => uidOf(input) === undefined)
  const addedUids = await userRecords.createMany(db, scope, await toRows(db, scope, added))
  const newUids = addedUids.values()
  return inputs.flatMap((input) => uidOf(input) ?? newUids.next().value ?? [])
}

/** Changes users who keep their photos and pay rates. Needs a transaction. */
export async function changeUsers(db: Db, scope: Scope, changes: UserChange<Input>[]): Promise<void> {
  const rows = await toRows(
    db,
    scope,
    changes.map(({ input }) => input),
  )
  await userRecords.updateMany(
    db,
    scope,
    changes.flatMap(({ uid, version }, index) => {
      const row = rows[index]
      return row ? { ...row, uid, version } : []
    }),
  )
}

/** Changes only the pay rates of users. Needs a transaction: the history takes the actor from the row of the user. */
export async function changePayRates(
  db: Db,
  scope: Scope,
  changes: UserChange<Pick<Input, 'payRates'>>[],
): Promise<void> {
  await userRecords.updateMany(
    db,
    scope,
    changes.map(({ uid, version }) => ({ uid, version })),
  )
  await setPayRatesOf(
    db,
    changes.map(({ uid, input: { payRates } }) => ({ uid, payRates })),
  )
}

/** Adds a user of role client. The inviting user does not need to be an admin. */
export const inviteClient = (db: Db, scope: Scope, invitation: BodyOf<typeof users.invite>) =>
  inTransaction(db, async (db) => {
    await refuseTakenEmail(db, scope, invitation.email)
    return userRecords.create(db, scope, await toRow(db, scope, invitedClientUser(invitation)))
  })

export const userDeletion: Deletion = {
  kind: 'user',
  records: userRecords,
  async refuse(db, scope, uid) {
    const { deletedAt } = await userRecords.get(db, scope, uid)
    const problem = userRemovalProblem({ uid, deletedAt }, scope.actor)
    if (problem) throw problem
    await refuseIfPlanned(db, 'driver_uid', uid, { what: 'driver' })
  },
}

/** Restores a deleted user; a user who is not deleted stays unchanged. */
export async function restoreUser(db: Db, scope: Scope, uid: string): Promise<User> {
  const user = await userRecords.get(db, scope, uid)
  return user.deletedAt ? userRecords.restore(db, scope, uid) : user
}
