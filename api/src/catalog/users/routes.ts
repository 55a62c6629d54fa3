import { type CredentialKind, credentials, driverProfile, type User, users } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { endCredential, endOnForcedSignOut, listCredentials } from '../../accounts/credentials/index.ts'
import { countAttempt, endSessions, listSessions, recipientLanguage } from '../../accounts/sign-in/index.ts'
import {
  type FactorName,
  factorRemovedMail,
  factorsResetMail,
  resetFactors,
} from '../../accounts/second-factors/index.ts'
import type { AppContext } from '../../platform/context.ts'
import { type Db, inTransaction } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { isConfirmedBy, removeRecord, serveDependents } from '../../platform/deletion/index.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { byUid } from '../../platform/http/handlers.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { userSheet } from './export.ts'
import { mailInvitation, sendInvitations } from './invitations.ts'
import { loadProfile, updateProfile } from './profile.ts'
import { isInvited, userRecords } from './queries.ts'
import { createUser, inviteClient, storeReceivedPhoto, restoreUser, updateUser, userDeletion } from './save.ts'

const viewerOf = ({ actor }: Scope) => ({ sessionUid: actor.sessionUid, isOwner: false })

/** Credentials whose owner gets a mail when they are removed. */
const isFactorKind = (kind: CredentialKind): kind is FactorName['kind'] =>
  kind === 'passkey' || kind === 'codeApp' || kind === 'recoveryCodes'

export function userRoutes(app: App, { env }: AppContext): void {
  serve(app, users.list, (call) => listOrExport(call, userRecords, userSheet))
  serve(app, users.get, byUid(userRecords.get))

  serve(app, driverProfile.get, async ({ db, scope }) => ({ data: await loadProfile(db, scope) }))

  serve(app, driverProfile.update, async ({ db, scope, body, files }) => {
    if (Object.keys(body).length === 0 && !files.photo?.length) {
      throw new AppError('badInput', { text: 'Enter what to change.' })
    }
    const photo = await storeReceivedPhoto(app, scope, files.photo)
    return { data: await updateProfile(db, scope, body, photo) }
  })

  serve(app, users.create, async ({ db, scope, body, files }) => {
    const photo = await storeReceivedPhoto(app, scope, files.photo)
    return inviting(db, scope, (db) => createUser(db, scope, body, photo))
  })

  serve(app, users.update, async ({ db, scope, body, files }) => {
    const before = await userRecords.get(db, scope, body.userUid)
    const photo = await storeReceivedPhoto(app, scope, files.photo)
    const change = (db: Db) => updateUser(db, scope, body, photo)
    // Another email address has ended the invitation in the old mailbox.
    return before.email === body.email ? { data: await change(db) } : inviting(db, scope, change)
  })

  serve(app, users.remove, async ({ db, scope, params, query }) => {
    const isConfirmed = isConfirmedBy(query)
    const { uid } = await removeRecord(app, userDeletion, { db, scope, uid: params.uid, isConfirmed })
    return { data: { userUid: uid } }
  })
  serveDependents(app, users.dependents, userDeletion)

  serve(app, users.restore, async ({ db, scope, params }) => {
    const { deletedAt } = await userRecords.get(db, scope, params.uid)
    const change = (db: Db) => restoreUser(db, scope, params.uid)
    // Deleting the user has ended the invitation.
    return deletedAt ? inviting(db, scope, change) : { data: await change(db) }
  })

  serve(app, users.forceLogout, async ({ db, scope, params, request }) => {
    const { userUid, name } = await userRecords.get(db, scope, params.uid)
    const ended = await inTransaction(db, async (db) => {
      await endOnForcedSignOut(app.kernel.credentials, db, userUid)
      return endSessions(db, userUid)
    })
    const detail = `all, ${ended} open`
    await app.kernel.audit(request, { kind: 'sessionsEnded', actorUid: scope.actor.uid, subject: name, detail })
    return { data: { userUid, ended } }
  })

  serve(app, users.resetFactors, async ({ db, scope, params, request }) => {
    const user = await userRecords.get(db, scope, params.uid)
    const { actor } = scope
    if (user.userUid === actor.uid) throw new AppError('ownFactors')
    const ended = await inTransaction(db, async (db) => {
      const recipient = { ...user, language: await recipientLanguage(db, user.userUid) }
      await enqueueMail(db, factorsResetMail(recipient, env.brandName, actor.name), { userUid: user.userUid })
      return resetFactors(db, user.userUid)
    })
    await app.kernel.audit(request, { kind: 'factorsReset', actorUid: actor.uid, subject: user.email })
    return { data: { userUid: user.userUid, ended } }
  })

  serve(app, users.sessions, async ({ db, scope, params }) => {
    const { userUid } = await userRecords.get(db, scope, params.uid)
    return { data: await listSessions(db, userUid, scope.actor.sessionUid) }
  })

  serve(app, credentials.ofUser, async ({ db, scope, params }) => {
    const { userUid } = await userRecords.get(db, scope, params.uid)
    return { data: await listCredentials(app.kernel.credentials, db, userUid, viewerOf(scope)) }
  })

  serve(app, credentials.endOfUser, async ({ db, scope, params, request }) => {
    const user = await userRecords.get(db, scope, params.uid)
    const { userUid, name: subject } = user
    const { kind, credentialUid: uid } = params
    const detail = await inTransaction(db, async (db) => {
      if (isFactorKind(kind)) {
        const recipient = { ...user, language: await recipientLanguage(db, userUid) }
        await enqueueMail(db, factorRemovedMail(recipient, env.brandName, { kind }), { userUid })
      }
      return endCredential(app.kernel.credentials, db, { userUid, kind, uid }, viewerOf(scope))
    })
    await app.kernel.audit(request, { kind: 'credentialEnded', actorUid: scope.actor.uid, subject, detail })
    return { data: { uid } }
  })

  serve(app, users.invite, async ({ db, scope, body }) => {
    const { userUid, name, email } = (await inviting(db, scope, (db) => inviteClient(db, scope, body))).data
    return { data: { userUid, name, email } }
  })

  serve(app, users.resendInvitation, async ({ db, scope, params, request }) => {
    const { userUid, email, isInvited: isWaiting } = await userRecords.get(db, scope, params.uid)
    if (!isWaiting) throw new AppError('notInvited')
    const target = { what: 'invitation', subject: email, ownerUid: userUid, address: request.ip } as const
    await countAttempt(db, target)
    await inTransaction(db, (db) => mailInvitation(db, scope, userUid, env))
    await app.kernel.audit(request, { kind: 'invitationResent', actorUid: scope.actor.uid, subject: email })
    return { data: { userUid } }
  })

  serve(app, users.sendInvitations, async ({ db, scope, body, request }) => {
    const { invited, ...data } = await inTransaction(db, (db) => sendInvitations(db, scope, body.userUids, env))
    for (const { email } of invited)
      await app.kernel.audit(request, { kind: 'invitationSent', actorUid: scope.actor.uid, subject: email })
    return { data }
  })

  serveHistory(app, users.history, userRecords, { client_uid: 'client' })

  /** Changes a user and, if they have no password yet, mails them a link to set one. */
  async function inviting(db: Db, scope: Scope, change: (db: Db) => Promise<User>): Promise<{ data: User }> {
    const data = await inTransaction(db, async (db) => {
      const user = await change(db)
      if (await isInvited(db, user.userUid)) await mailInvitation(db, scope, user.userUid, env)
      return user
    })
    return { data }
  }
}
