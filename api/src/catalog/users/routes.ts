import { users } from '@roadshow/contract'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../platform/runtime/app-error.ts'
import { endSessions, createPasswordReset, listSessions } from '../../accounts/sign-in/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { serveHistory } from '../../platform/history/index.ts'
import type { App } from '../../platform/http/app.ts'
import { listOrExport } from '../../platform/spreadsheet/list-or-export.ts'
import { serve } from '../../platform/http/serve.ts'
import { userSheet } from './export.ts'
import { INVITATION_DAYS, invitationMail } from './mails.ts'
import { userRecords } from './queries.ts'
import { createUser, inviteClient, storeReceivedPhoto, removeUser, restoreUser, updateUser } from './save.ts'

export function userRoutes(app: App, { mailer, env: { brandName, publicUrl } }: AppContext): void {
  serve(app, users.list, (call) => listOrExport(call, userRecords, userSheet))

  serve(app, users.get, async ({ db, scope, params }) => ({ data: await userRecords.get(db, scope, params.uid) }))

  serve(app, users.create, async ({ db, scope, body, files }) => {
    const user = await createUser(db, scope, body, await storeReceivedPhoto(app, scope, files.photo))
    await invite(db, scope, user)
    return { data: user }
  })

  serve(app, users.update, async ({ db, scope, body, files }) => ({
    data: await updateUser(db, scope, body, await storeReceivedPhoto(app, scope, files.photo)),
  }))

  serve(app, users.remove, async ({ db, scope, params }) => ({ data: await removeUser(db, scope, params.uid) }))

  serve(app, users.restore, async ({ db, scope, params }) => ({ data: await restoreUser(db, scope, params.uid) }))

  serve(app, users.forceLogout, async ({ db, scope, params, request }) => {
    const { userUid, name } = await userRecords.get(db, scope, params.uid)
    const ended = await endSessions(db, userUid)
    await noteEnded(request, scope, name, `all, ${ended} open`)
    return { data: { userUid, ended } }
  })

  serve(app, users.sessions, async ({ db, scope, params }) => {
    const { userUid } = await userRecords.get(db, scope, params.uid)
    return { data: await listSessions(db, userUid, scope.actor.sessionUid) }
  })

  serve(app, users.endSession, async ({ db, scope, params, request }) => {
    const { name } = await userRecords.get(db, scope, params.uid)
    if ((await endSessions(db, params.uid, { only: params.sessionUid })) === 0) throw new AppError('notFound')
    await noteEnded(request, scope, name, 'one')
    return { data: { uid: params.sessionUid } }
  })

  serve(app, users.invite, async ({ db, scope, body }) => {
    const { userUid, name, email } = await inviteClient(db, scope, body)
    await invite(db, scope, { userUid, name, email })
    return { data: { userUid, name, email } }
  })

  serveHistory(app, users.history, userRecords, { client_uid: 'client' })

  const noteEnded = (request: FastifyRequest, { actor }: Scope, subject: string, detail: string) =>
    app.kernel.audit(request, { kind: 'sessionsEnded', actorUid: actor.uid, subject, detail })

  /** Mails a new user the link to set a password. */
  async function invite(
    db: Db,
    { actor }: Scope,
    { userUid, name, email }: { userUid: string; name: string; email: string },
  ) {
    const token = await createPasswordReset(db, userUid, INVITATION_DAYS * 24 * 60)
    const link = `${publicUrl}/forgot-password?token=${token}`
    app.kernel.inBackground(mailer.send(invitationMail({ email, name, by: actor.name, link }, brandName, publicUrl)))
  }
}
