import { auth, defaultModules, MAX_INVITATIONS, users } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

const world = await openWorld()
const { addUser, call, db, mails, people } = world

let count = 0
/** People as an import adds them: nothing was mailed to them. */
async function addImported(some: number) {
  return db
    .insertInto('user_account')
    .values(
      Array.from({ length: some }, () => ({
        email: `invitee-${++count}@example.com`,
        name: `Invitee ${count}`,
        role: 'driver',
        modules: [...defaultModules.driver],
      })),
    )
    .returning(['uid', 'email', 'name'])
    .execute()
}

const send = (userUids: readonly string[], options: Parameters<typeof call>[2] = {}) =>
  call(users.sendInvitations, { body: { userUids: [...userUids] } }, options)
const mailsTo = (email: string) => mails.filter(({ to }) => to === email)
const uidsOf = (some: readonly { uid: string }[]) => some.map(({ uid }) => uid)

describe('invitations to many', () => {
  test('each gets one mail, whose link sets the password', async () => {
    const some = await addImported(3)
    const { status, body } = await send([...uidsOf(some), ...uidsOf(some)])
    expect([status, body.data]).toEqual([200, { sent: 3, skipped: [] }])
    for (const { email, name } of some) {
      expect(mailsTo(email)).toMatchObject([{ kind: 'welcome', subject: 'Your Roadshow account' }])
      expect(mailsTo(email)[0]?.text).toContain(`Hello ${name}`)
    }
    const token = /token=(\S+)/.exec(mailsTo(some[0]?.email ?? '')[0]?.text ?? '')?.[1] ?? ''
    expect(
      (await call(auth.passwordReset, { body: { token, password: 'four wheels good' } }, { token: '' })).status,
    ).toBe(200)
    const noted = await db
      .selectFrom('audit_log')
      .select('actor_uid')
      .where('kind', '=', 'invitationSent')
      .where(sql<boolean>`subject = any(${some.map(({ email }) => email)}::text[])`)
      .execute()
    expect(noted).toEqual(some.map(() => ({ actor_uid: people.admin.uid })))
  })

  test('are mailed once however often, or at once, the same call is sent', async () => {
    const some = await addImported(5)
    const headers = { 'idempotency-key': 'invite-all-of-them' }
    const answers = await Promise.all([1, 2, 3].map(() => send(uidsOf(some), { headers })))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    await send(uidsOf(some), { headers })
    for (const { email } of some) expect([email, mailsTo(email).length]).toEqual([email, 1])
  })

  test('skip, each with the reason, who is gone, is in already, or was invited too often', async () => {
    const [gone, inAlready, often, fine] = await addImported(4)
    if (!gone || !inAlready || !often || !fine) throw new Error('Four were added.')
    await db
      .updateTable('user_account')
      .set({ deleted_at: sql`now()` })
      .where('uid', '=', gone.uid)
      .execute()
    await db.updateTable('user_account').set({ password_hash: 'set' }).where('uid', '=', inAlready.uid).execute()
    let sent = 0
    for (let asked = 0; asked < 8; asked++) sent += (await send([often.uid])).body.data.sent
    expect(sent).toBeLessThan(8)
    expect(mailsTo(often.email)).toHaveLength(sent)
    const unknown = '01900000-0000-7000-8000-000000000404'
    const { data } = (await send([gone.uid, inAlready.uid, often.uid, fine.uid, unknown])).body
    expect(data.sent).toBe(1)
    expect(data.skipped.toSorted((one, other) => one.reason.localeCompare(other.reason))).toEqual([
      { userUid: gone.uid, name: gone.name, reason: 'deleted' },
      { userUid: unknown, name: '', reason: 'notFound' },
      { userUid: inAlready.uid, name: inAlready.name, reason: 'signedIn' },
      { userUid: often.uid, name: often.name, reason: 'tooOften' },
    ])
    expect([gone, inAlready, fine].map(({ email }) => mailsTo(email).length)).toEqual([0, 0, 1])
  })

  test('go to two hundred in one call, and no more', async () => {
    const some = await addImported(MAX_INVITATIONS + 1)
    const tooMany = await send(uidsOf(some))
    expect([tooMany.status, tooMany.error.fields?.userUids]).toEqual([400, `At most ${MAX_INVITATIONS} users at once.`])
    expect((await send(uidsOf(some.slice(1)))).body.data).toEqual({ sent: MAX_INVITATIONS, skipped: [] })
    const none = await send([])
    expect([none.status, none.error.fields?.userUids]).toEqual([400, 'Choose at least one user.'])
  })

  test('are sent by admins only', async () => {
    const [one] = await addImported(1)
    for (const role of ['sales', 'driver', 'client'] as const) {
      const { token } = await addUser(role, ['overview', 'clients', 'schedule', 'users', 'trucks', 'pop'])
      expect([role, (await send([one?.uid ?? ''], { token })).status]).toEqual([role, 403])
    }
    const key = await world.addKey({ access: 'write' } as never)
    expect((await send([one?.uid ?? ''], { token: key.token })).status).toBe(403)
    expect(mailsTo(one?.email ?? '')).toEqual([])
  })
})
