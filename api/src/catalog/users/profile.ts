import type { BodyOf, DriverProfile, driverProfile, Language, User } from '@roadshow/contract'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { claimFile } from '../../platform/files/index.ts'
import { userRecords } from './queries.ts'

/** The language that a user chose; null for the browser's. */
export async function languageOf(db: Db, userUid: string): Promise<Language | null> {
  const user = await db.selectFrom('user_account').select('language').where('uid', '=', userUid).executeTakeFirst()
  return (user?.language ?? null) as Language | null
}

const toProfile = ({ name, email, phone, photo, language }: User): DriverProfile => ({
  name,
  email,
  phone,
  photo,
  language,
})

// A driver reaches no user in lists of users; these calls reach the caller's own row and no other.
const ownScope = ({ actor }: Scope): Scope => ({ rows: 'all', actor })

export const loadProfile = async (db: Db, scope: Scope): Promise<DriverProfile> =>
  toProfile(await userRecords.get(db, ownScope(scope), scope.actor.uid))

/** Changes the caller's own phone number, language or photo. */
export const updateProfile = (
  db: Db,
  scope: Scope,
  { phone, language, isPhotoRemoved }: BodyOf<typeof driverProfile.update>,
  photo: string | undefined,
): Promise<DriverProfile> =>
  inTransaction(db, async (db) => {
    const { uid } = scope.actor
    await userRecords.lockRow(db, uid)
    const current = await userRecords.get(db, ownScope(scope), uid)
    if (photo) await claimFile(db, scope, { uid: photo, purpose: 'photo', field: 'photo' })
    const changed = {
      ...(phone !== undefined && { phone }),
      ...(language !== undefined && { language }),
      ...((photo || isPhotoRemoved) && { photo_file_uid: photo ?? null }),
    }
    if (Object.keys(changed).length === 0) return toProfile(current)
    return toProfile(await userRecords.update(db, ownScope(scope), uid, current.version, changed))
  })
