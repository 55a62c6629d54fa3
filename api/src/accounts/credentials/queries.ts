import { type Credential, type CredentialKind, credentialKindLabel, credentialKinds } from '@roadshow/contract'
import { type CredentialSource, type CredentialViewer, plainCredential } from '../../platform/credentials.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import { AppError } from '../../platform/runtime/app-error.ts'

type Sources = readonly CredentialSource[]

/** Every open credential of a user: kind by kind, the newest of each first. */
export async function listCredentials(
  sources: Sources,
  db: Db,
  userUid: string,
  viewer: CredentialViewer,
): Promise<Credential[]> {
  const found: Credential[] = []
  for (const { kind, list } of sources) {
    for (const each of await list(db, userUid, viewer)) found.push({ ...plainCredential, kind, ...each })
  }
  return found.toSorted(
    (a, b) =>
      credentialKinds.indexOf(a.kind) - credentialKinds.indexOf(b.kind) ||
      Date.parse(b.createdAt) - Date.parse(a.createdAt),
  )
}

interface EndedCredential {
  userUid: string
  kind: CredentialKind
  uid: string
}

/** Ends one credential; answers what it was, for the audit log. */
export async function endCredential(
  sources: Sources,
  db: Db,
  { userUid, kind, uid }: EndedCredential,
  viewer: CredentialViewer,
): Promise<string> {
  const source = sources.find((each) => each.kind === kind)
  const ended = source && (await inTransaction(db, (db) => source.end(db, userUid, uid, viewer)))
  if (ended === undefined) throw new AppError('notFound')
  return [credentialKindLabel[kind], ended].filter(Boolean).join(': ')
}

/** Ends what a forced sign-out takes along beside the sessions. */
export async function endOnForcedSignOut(sources: Sources, db: Db, userUid: string): Promise<void> {
  for (const source of sources) await source.endOnForcedSignOut?.(db, userUid)
}
