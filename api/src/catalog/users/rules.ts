import { type BodyOf, defaultModules, type User, type users } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { clientRecords } from '../clients/index.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { refuseIfPlanned } from '../in-use/index.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { claimFile, storeUploadedPicture } from '../../platform/files/index.ts'
import type { App } from '../../platform/http/app.ts'
import type { ReceivedFile } from '../../platform/http/multipart.ts'
import { userByEmail, setPayRates, userRecords } from './queries.ts'

type Input = BodyOf<typeof users.create>

/** Refuses an email that somebody has. For a deleted user's, it says whom an admin can restore instead. */
async function refuseTaken(db: Db, email: string, { mayRestore }: { mayRestore: boolean }): Promise<void> {
  const holder = await userByEmail(db, email)
  if (!holder) return
  const code = holder.deleted_at && mayRestore ? 'emailOfDeleted' : 'emailTaken'
  const fields = { email: new AppError(code).message }
  throw new AppError(code, {
    fields,
    ...(code === 'emailOfDeleted' && { conflict: { uid: holder.uid, name: holder.name } }),
  })
}

/** What a form gave, as a row of the table. */
async function toRow(db: Db, scope: Scope, { payRates: _rates, photoFileUid, clientUid, payrollId, ...given }: Input) {
  await clientRecords.requireRefs(db, scope, { clientUid })
  return {
    ...given,
    client_uid: clientUid,
    photo_file_uid: photoFileUid,
    ...(payrollId !== undefined && { payroll_id: payrollId }),
  }
}

/** Verifies a photo that was sent along; what is wrong with it is said at its field. */
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

/** Adds a user, with their rates and photo. */
export const createUser = (db: Db, scope: Scope, given: Input, photo: string | undefined): Promise<User> =>
  inTransaction(db, async (db) => {
    if (given.photoFileUid) throw new AppError('badInput', { fields: { photoFileUid: 'A new user has no photo yet.' } })
    await refuseTaken(db, given.email, { mayRestore: true })
    if (photo) await claimFile(db, scope, photo, 'photo', 'photo')
    const row = await toRow(db, scope, { ...given, photoFileUid: photo ?? null })
    const { userUid } = await userRecords.create(db, scope, row)
    await setPayRates(db, userUid, given.payRates)
    return userRecords.get(db, scope, userUid)
  })

/** Changes a user, with their rates and photo. */
export const updateUser = (
  db: Db,
  scope: Scope,
  { userUid, version, ...given }: BodyOf<typeof users.update>,
  photo: string | undefined,
): Promise<User> =>
  inTransaction(db, async (db) => {
    const before = await userRecords.get(db, scope, userUid)
    const { photoFileUid } = given
    if (photoFileUid && photoFileUid !== before.photo?.uid && before.version === version) {
      throw new AppError('badInput', { fields: { photoFileUid: 'This is not the photo of this user.' } })
    }
    if (given.email !== before.email.toLowerCase()) await refuseTaken(db, given.email, { mayRestore: true })
    if (photo) await claimFile(db, scope, photo, 'photo', 'photo')
    const row = await toRow(db, scope, { ...given, photoFileUid: photo ?? photoFileUid })
    await userRecords.update(db, scope, userUid, version, row)
    await setPayRates(db, userUid, given.payRates)
    return userRecords.get(db, scope, userUid)
  })

/** Adds a user of role client, for somebody who need not be an admin. */
export const inviteClient = (db: Db, scope: Scope, { clientUid, name, email }: BodyOf<typeof users.invite>) =>
  inTransaction(db, async (db) => {
    await refuseTaken(db, email, { mayRestore: scope.actor.role === 'admin' })
    const modules = [...defaultModules.client]
    const input = {
      name,
      email,
      phone: '',
      role: 'client' as const,
      modules,
      clientUid,
      payRates: [],
      photoFileUid: null,
    }
    return userRecords.create(db, scope, await toRow(db, scope, input))
  })

/** Deletes a user. Nobody deletes themselves by mistake. */
export async function removeUser(db: Db, scope: Scope, uid: string): Promise<{ userUid: string }> {
  if (uid === scope.actor.uid) throw new AppError('ownAccount')
  const { deletedAt } = await userRecords.get(db, scope, uid)
  if (deletedAt) throw new AppError('notFound')
  await userRecords.removeUnless(db, scope, uid, (db) => refuseIfPlanned(db, 'driver_uid', uid, 'driver'))
  return { userUid: uid }
}

/** Brings a deleted user back; one who is not deleted stays as they are. */
export async function restoreUser(db: Db, scope: Scope, uid: string): Promise<User> {
  const user = await userRecords.get(db, scope, uid)
  return user.deletedAt ? userRecords.restore(db, scope, uid) : user
}
