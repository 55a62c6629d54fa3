import { auth, type ErrorBody, type Role, settings } from '@roadshow/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { openFactors } from '../second-factors/test-factors.ts'
import { openSession } from './queries.ts'
import { openSignOnWorld, PASSWORD, tokenOf } from './test-sign-on.ts'

const world = await openSignOnWorld()
const { db, provider, TestBrowser, addPerson, me } = world
await provider.start()
const factors = openFactors(world)

async function requireFor(...secondFactorRoles: Role[]): Promise<void> {
  const origin = { address: '', userAgent: '', madeBy: 'singleSignOn', hasProviderFactor: true } as const
  const token = await openSession(db, world.people.admin.uid, origin)
  const { version, values } = (await world.call(settings.get, {}, { token })).body.data
  await world.call(settings.update, { body: { ...values, secondFactorRoles, version } }, { token })
}
afterEach(() => requireFor())

/** A person whose account is linked, with an authenticator app if asked for. */
async function addLinked(hasApp: boolean) {
  const person = await addPerson({ role: 'sales', isInvited: true })
  const token = tokenOf(await new TestBrowser().signIn(person.name))
  return { ...person, app: hasApp ? await factors.addCodeApp({ token }) : undefined }
}

const secondFactorIn = ({ status, error }: { status: number; error: ErrorBody }) => {
  expect([status, error.code]).toEqual([401, 'secondFactorAsked'])
  if (!error.secondFactor) throw new Error('No second step.')
  return error.secondFactor
}

describe('a role that needs a second factor', () => {
  test('takes the one that the provider has seen', async () => {
    const { name } = await addLinked(false)
    await requireFor('sales')
    const person = provider.people.get(name)
    if (person) person.amr = ['pwd', 'otp']
    const answer = await new TestBrowser().signIn(name)
    expect(answer.body.data).not.toHaveProperty('enrollmentNeeded')
    expect((await me(tokenOf(answer))).status).toBe(200)
  })

  test('has one set up first by a person whose provider has seen none', async () => {
    const { name } = await addLinked(false)
    await requireFor('sales')
    const answer = await new TestBrowser().signIn(name)
    expect(answer.body.data).toMatchObject({ step: 'signedIn', enrollmentNeeded: true })
    const refused = await me(tokenOf(answer))
    expect([refused.status, refused.error.code]).toEqual([403, 'secondFactorNeeded'])
  })

  test('asks for ours where the provider has seen none, and the session still ends with the provider’s', async () => {
    const { name, app } = await addLinked(true)
    await requireFor('sales')
    const { token, next } = secondFactorIn(await new TestBrowser().signIn(name, '/trucks'))
    expect(next).toBe('/trucks')
    const wrong = await factors.finish(token, { code: '000000' })
    expect([wrong.status, wrong.error.code]).toEqual([401, 'secondFactorWrong'])
    const session = tokenOf(await factors.finish(token, { code: app?.code() }))
    expect((await me(session)).status).toBe(200)
    const again = await factors.finish(token, { code: app?.code() })
    expect([again.status, again.error.code]).toEqual([401, 'signInExpired'])
    const { continueAt } = (await world.call(auth.logout, {}, { token: session })).body.data
    expect(continueAt).toContain('id_token_hint=eyJ')
  })
})

test('without such a role, the provider decides alone', async () => {
  const { name } = await addLinked(true)
  expect((await new TestBrowser().signIn(name)).body.data).toMatchObject({ step: 'signedIn' })
})

describe('an account with a second factor', () => {
  async function addOwner() {
    const person = await addPerson({ role: 'sales' })
    const session = await openSession(db, person.uid, { address: '127.0.0.1', userAgent: 'test' })
    return { ...person, app: await factors.addCodeApp({ token: session }) }
  }
  const identitiesOf = (uid: string) =>
    db.selectFrom('single_sign_on_identity').select('uid').where('user_uid', '=', uid).execute()

  test('is not linked by its password alone', async () => {
    const { name, uid, app } = await addOwner()
    const browser = new TestBrowser()
    await browser.signIn(name)
    const { token } = secondFactorIn(await browser.confirmByPassword(PASSWORD))
    expect(await identitiesOf(uid)).toEqual([])
    expect((await factors.finish(token, { code: app.code() })).status).toBe(200)
    expect(await identitiesOf(uid)).toHaveLength(1)
  })

  test('is not linked by its mailbox alone, and keeps nothing readable meanwhile', async () => {
    const { name, email, uid, app } = await addOwner()
    const browser = new TestBrowser()
    await browser.signIn(name)
    await browser.mailConfirmation()
    const text = world.mails.findLast(({ to }) => to === email)?.text ?? ''
    const { token } = secondFactorIn(await browser.confirmByMail(/confirm=([\w-]+)/.exec(text)?.[1] ?? ''))
    expect(await identitiesOf(uid)).toEqual([])
    const pending = await db.selectFrom('pending_sign_in').select('sealed_sign_on').execute()
    for (const row of pending) expect(row.sealed_sign_on?.toString('latin1')).not.toContain(name)
    expect((await factors.finish(token, { code: app.code() })).status).toBe(200)
    expect(await identitiesOf(uid)).toHaveLength(1)
    expect(world.mails.findLast(({ to }) => to === email)?.kind).toBe('single-sign-on-linked')
  })

  test('whose address changes in between is not linked', async () => {
    const { name, uid, app } = await addOwner()
    const browser = new TestBrowser()
    await browser.signIn(name)
    const { token } = secondFactorIn(await browser.confirmByPassword(PASSWORD))
    await db
      .updateTable('user_account')
      .set({ email: `new-${name}@example.com` })
      .where('uid', '=', uid)
      .execute()
    expect((await factors.finish(token, { code: app.code() })).status).toBe(401)
    expect(await identitiesOf(uid)).toEqual([])
  })

  test('whose identity is unlinked in between stays closed to it', async () => {
    const { name, uid, app } = await addLinked(true)
    await requireFor('sales')
    const { token } = secondFactorIn(await new TestBrowser().signIn(name))
    await db.deleteFrom('single_sign_on_identity').where('user_uid', '=', uid).execute()
    const answer = await factors.finish(token, { code: app?.code() })
    expect([answer.status, answer.error.code]).toEqual([401, 'singleSignOnFailed'])
  })
})
