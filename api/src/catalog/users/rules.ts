import { type BodyOf, defaultModules, type InvitationSkip, type Role, type users } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'

interface EmailHolder {
  uid: string
  name: string
  deleted_at: string | Date | null
}

/** Why an email address cannot be used. An admin learns which deleted user to restore instead. */
export function emailProblem(holder: EmailHolder | undefined, actor: { role: Role }): AppError | undefined {
  if (!holder) return undefined
  const isRestorable = holder.deleted_at !== null && actor.role === 'admin'
  const code = isRestorable ? 'emailOfDeleted' : 'emailTaken'
  return new AppError(code, {
    fields: { email: new AppError(code).message },
    ...(isRestorable && { conflict: { uid: holder.uid, name: holder.name } }),
  })
}

interface PhotoHolder {
  photo: { uid: string } | null
  version: number
}

/** Form field to its message, for a photo that is not the user's own. A new one is sent as a file, not by its uid. */
export function photoProblems(
  { photoFileUid, version }: { photoFileUid: string | null; version?: number },
  current?: PhotoHolder,
): Record<string, string> {
  if (!photoFileUid) return {}
  if (!current) return { photoFileUid: 'A new user has no photo yet.' }
  // An old version is refused later with a better sentence.
  if (photoFileUid === current.photo?.uid || current.version !== version) return {}
  return { photoFileUid: 'This photo belongs to another record. Please upload it again.' }
}

/** Why a user cannot be deleted. */
export function userRemovalProblem(
  user: { uid: string; deletedAt: string | null },
  actor: { uid: string },
): AppError | undefined {
  if (user.uid === actor.uid) return new AppError('ownAccount')
  return user.deletedAt ? new AppError('notFound') : undefined
}

/** Why a user is not invited. */
export function invitationProblem(
  user: { deletedAt: string | null; isInvited: boolean } | undefined,
): InvitationSkip | undefined {
  if (!user) return 'notFound'
  if (user.deletedAt !== null) return 'deleted'
  return user.isInvited ? undefined : 'signedIn'
}

/** The user that an invitation of a client's contact adds. */
export const invitedClientUser = ({ clientUid, name, email }: BodyOf<typeof users.invite>) => ({
  name,
  email,
  phone: '',
  role: 'client' as const,
  modules: [...defaultModules.client],
  clientUid,
  payRates: [],
  photoFileUid: null,
})
