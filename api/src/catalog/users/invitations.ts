import type { InvitationSkip, InvitationsResult } from '@roadshow/contract'
import { bindToMail, countBulkAttempt, createPasswordLink, recipientLanguage } from '../../accounts/sign-in/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { enqueueMail } from '../../platform/mail/channel.ts'
import { type InvitingServer, invitationMail } from './mails.ts'
import { type InvitedUser, lockForInvitation } from './queries.ts'
import { invitationProblem } from './rules.ts'

/** Mails a user a link to set a password. Answers false if the user is deleted. Needs a transaction. */
export async function mailInvitation(
  db: Db,
  { actor }: Scope,
  userUid: string,
  server: InvitingServer,
): Promise<boolean> {
  const link = await createPasswordLink(db, userUid, { kind: 'invitation', address: actor.address })
  if (!link) return false
  const url = `${server.publicUrl}/forgot-password?token=${link.token}`
  const language = await recipientLanguage(db, userUid)
  const mail = invitationMail({ ...link, language, by: actor.name, link: url }, server)
  await bindToMail(db, link.token, await enqueueMail(db, mail, { userUid, isSecret: true }))
  return true
}

interface SentInvitations extends InvitationsResult {
  invited: InvitedUser[]
}

/** Invites users, and answers why others are left out. Needs a transaction: its locks keep each of them as they are. */
export async function sendInvitations(
  db: Db,
  scope: Scope,
  userUids: readonly string[],
  server: InvitingServer,
): Promise<SentInvitations> {
  const uids = [...new Set(userUids)]
  const found = new Map((await lockForInvitation(db, uids)).map((user) => [user.uid, user]))
  const skipped: InvitationsResult['skipped'] = []
  const skip = (userUid: string, reason: InvitationSkip) =>
    skipped.push({ userUid, name: found.get(userUid)?.name ?? '', reason })
  const wanted: InvitedUser[] = []
  // In one order, as the counting of attempts wants it.
  for (const uid of uids.toSorted()) {
    const user = found.get(uid)
    const problem = invitationProblem(user)
    if (user && !problem) wanted.push(user)
    else if (problem) skip(uid, problem)
  }
  const targets = wanted.map(({ uid, email }) => ({ subject: email, ownerUid: uid }))
  const waiting = await countBulkAttempt(db, { what: 'invitation', address: scope.actor.address }, targets)
  const invited: InvitedUser[] = []
  for (const user of wanted) {
    if (waiting.has(user.email)) skip(user.uid, 'tooOften')
    else if (await mailInvitation(db, scope, user.uid, server)) invited.push(user)
  }
  return { sent: invited.length, skipped, invited }
}
