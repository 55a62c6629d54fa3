import { auth, auditLog, secondFactors, users } from '@roadshow/contract'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { softwarePasskey } from '@roadshow/test-kit/passkey'
import { openWorld } from '@roadshow/test-kit/world'
import { openFactors, PASSWORD } from './test-factors.ts'

const world = await openWorld()
const { call, db, mails } = world
const { signIn, addPerson, pending, finish, codeFor, addCodeApp, addPasskey, ageProof, nextStep } = openFactors(world)

const own = async (token: string) => (await call(secondFactors.list, {}, { token })).body.data
const whoAmI = async (token: string) => (await call(auth.me, {}, { token })).status
const madeBy = async (uid: string) =>
  (await db.selectFrom('session').select('made_by').where('user_uid', '=', uid).orderBy('uid', 'desc').execute())[0]
    ?.made_by
const subjectsTo = (email: string) => mails.filter(({ to }) => to === email).map(({ subject }) => subject)
const audited = async (email: string) =>
  (await call(auditLog.list, { query: { search: email, pageSize: '200' } })).body.data.map(({ kind }) => kind)

const challengeAlone = async () => (await call(secondFactors.challengeSignIn, {}, { token: '' })).body.data
const signInAlone = (passkey: object) =>
  call(secondFactors.signInWithPasskey, { body: { passkey } as never }, { token: '' })

describe('signing in with an authenticator app', () => {
  test('takes two steps: the password gives no session, and the code opens one that says how it was made', async () => {
    const person = await addPerson()
    const app = await addCodeApp(person)
    const first = await signIn(person.email)
    expect([first.status, first.error.code]).toEqual([401, 'secondFactorAsked'])
    expect(first.error.secondFactor?.factors).toEqual(['code', 'recoveryCode'])
    expect(first.text).not.toContain(person.email)
    const { status, body } = await finish(first.error.secondFactor?.token ?? '', { code: app.code() })
    expect([status, body.data.user.userUid]).toEqual([200, person.uid])
    expect(await whoAmI(body.data.token)).toBe(200)
    expect(await madeBy(person.uid)).toBe('code')
    expect(body.data.enrollmentNeeded).toBeUndefined()
  })

  test('takes a code once, no matter who sends it, also at the same moment', async () => {
    const person = await addPerson()
    const app = await addCodeApp(person)
    const code = app.code()
    const tokens = await Promise.all([pending(person.email), pending(person.email)])
    const both = await Promise.all(tokens.map(({ token }) => finish(token, { code })))
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401])
    const again = await finish((await pending(person.email)).token, { code })
    expect([again.status, again.error.code]).toEqual([401, 'secondFactorWrong'])
    // The code of the setup itself and older ones are used as well.
    nextStep()
    expect((await finish((await pending(person.email)).token, { code: app.code() })).status).toBe(200)
    expect((await finish((await pending(person.email)).token, { code })).status).toBe(401)
  })

  test('bounds guesses by account, whatever address and pending sign-in they come with', async () => {
    const person = await addPerson()
    const app = await addCodeApp(person)
    const wrong = app.code() === '000000' ? '000001' : '000000'
    const tokens = [(await pending(person.email)).token, (await pending(person.email)).token]
    const statuses: number[] = []
    for (let guess = 0; guess < 14; guess++) {
      statuses.push((await finish(tokens[guess % 2] ?? '', { code: wrong })).status)
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
    expect(statuses.at(-1)).toBe(429)
    expect((await finish(tokens[0] ?? '', { code: app.code() })).status).toBe(429)
    // Recovery codes are counted for themselves: the owner still gets in.
    expect((await finish(tokens[0] ?? '', { recoveryCode: app.recoveryCodes[0] })).status).toBe(200)
    expect(await audited(person.email)).toEqual(
      expect.arrayContaining(['secondFactorFailed', 'secondFactorThrottled', 'factorAdded']),
    )
  })

  test('keeps the key encrypted, and another user’s row cannot stand in for it', async () => {
    const [one, other] = [await addPerson(), await addPerson()]
    const app = await addCodeApp(one)
    await addCodeApp(other)
    const { secret } = await db
      .selectFrom('code_app')
      .select('secret')
      .where('user_uid', '=', one.uid)
      .executeTakeFirstOrThrow()
    expect(secret?.toString('latin1')).not.toContain(app.key)
    await db.updateTable('code_app').set({ secret }).where('user_uid', '=', other.uid).execute()
    const answer = await finish((await pending(other.email)).token, { code: app.code() })
    expect([answer.status, answer.error.code]).toEqual([503, 'codeAppUnreadable'])
  })

  test('shows a QR code and the key, and asks for a first code within its time', async () => {
    const person = await addPerson()
    const { key, address, picture } = (await call(secondFactors.startCodeApp, {}, person)).body.data
    expect(address).toContain(`secret=${key}`)
    expect(Buffer.from(picture.split(',')[1] ?? '', 'base64').toString()).toContain('<svg')
    const wrong = await call(secondFactors.addCodeApp, { body: { code: '12 34' } }, person)
    expect(wrong.error.fields?.['code']).toContain('6 digits')
    expect((await own(person.token)).codeApp).toBeNull()
    expect((await signIn(person.email)).status).toBe(200)
    await db
      .updateTable('code_app')
      .set({ new_secret_until: new Date(0) })
      .where('user_uid', '=', person.uid)
      .execute()
    const late = await call(secondFactors.addCodeApp, { body: { code: codeFor(key) } }, person)
    expect([late.status, late.error.code]).toEqual([409, 'setupExpired'])
  })
})

describe('a pending sign-in', () => {
  test('works once, for five minutes, and only for its own user', async () => {
    const [person, other] = [await addPerson(), await addPerson()]
    const [app, otherApp] = [await addCodeApp(person), await addCodeApp(other)]
    const { token } = await pending(person.email)
    expect((await finish(token, { code: otherApp.code() })).error.code).toBe('secondFactorWrong')
    expect((await finish(token, { code: app.code() })).status).toBe(200)
    nextStep()
    expect((await finish(token, { code: app.code() })).error.code).toBe('signInExpired')
    const late = await pending(person.email)
    await sql`update pending_sign_in set expires_at = now() - interval '1 second'`.execute(db)
    expect((await finish(late.token, { code: app.code() })).error.code).toBe('signInExpired')
    expect((await finish('no-such-token', { code: app.code() })).error.code).toBe('signInExpired')
  })

  test('is no session, and ends when the password is changed', async () => {
    const person = await addPerson()
    const app = await addCodeApp(person)
    const { token } = await pending(person.email)
    expect(await whoAmI(token)).toBe(401)
    await db.updateTable('user_account').set({ password_hash: 'other' }).where('uid', '=', person.uid).execute()
    expect((await finish(token, { code: app.code() })).error.code).toBe('signInExpired')
  })

  test('asks for exactly one factor', async () => {
    for (const factor of [{}, { code: '123456', recoveryCode: 'abcd' }]) {
      expect((await finish('a-token', factor)).status).toBe(400)
    }
  })
})

describe('a passkey', () => {
  test('signs in as a second factor and by itself, without a password', async () => {
    const person = await addPerson()
    const { passkey, answer } = await addPasskey(person)
    expect(answer.body.data.recoveryCodes).toHaveLength(10)
    const { token, factors } = await pending(person.email)
    expect(factors).toEqual(['passkey', 'recoveryCode'])
    const asked = (await call(secondFactors.challengeSecondStep, { body: { token } }, { token: '' })).body.data
    expect(asked.allowCredentials?.map(({ id }) => id)).toEqual([passkey.id])
    expect((await finish(token, { passkey: passkey.answer(asked) })).status).toBe(200)
    const alone = await signInAlone(passkey.answer(await challengeAlone()))
    expect([alone.status, alone.body.data.user.userUid]).toEqual([200, person.uid])
    expect(await madeBy(person.uid)).toBe('passkey')
  })

  test('answers each challenge once, and only the one it was asked', async () => {
    const person = await addPerson()
    const { passkey, body } = await addPasskey(person)
    const used = passkey.answer(await challengeAlone())
    expect((await signInAlone(used)).status).toBe(200)
    expect((await signInAlone(used)).error.code).toBe('passkeyRefused')
    // A challenge of another purpose or another sign-in.
    const { token } = await pending(person.email)
    const { token: other } = await pending(person.email)
    const asked = (await call(secondFactors.challengeSecondStep, { body: { token: other } }, { token: '' })).body.data
    expect((await finish(token, { passkey: passkey.answer(asked) })).error.code).toBe('passkeyRefused')
    expect((await finish(token, { passkey: passkey.answer(await challengeAlone()) })).error.code).toBe('passkeyRefused')
    const again = await call(secondFactors.addPasskey, { body }, person)
    expect(again.error.code).toBe('setupExpired')
    const late = passkey.answer(await challengeAlone())
    await sql`update passkey_challenge set expires_at = now() - interval '1 second'`.execute(db)
    expect((await signInAlone(late)).error.code).toBe('passkeyRefused')
  })

  test('of another user, another site, without verification or with an old counter is refused', async () => {
    const [person, other] = [await addPerson(), await addPerson()]
    const { passkey } = await addPasskey(person)
    const theirs = (await addPasskey(other)).passkey
    const { token } = await pending(person.email)
    const ask = async () =>
      (await call(secondFactors.challengeSecondStep, { body: { token } }, { token: '' })).body.data
    expect((await finish(token, { passkey: theirs.answer(await ask()) })).error.code).toBe('passkeyRefused')
    const forged = { ...passkey.answer(await challengeAlone()) }
    forged.response = { ...forged.response, userHandle: Buffer.from(other.uid).toString('base64url') }
    expect((await signInAlone(forged)).error.code).toBe('passkeyRefused')
    passkey.setCounter(0)
    expect((await signInAlone(passkey.answer(await challengeAlone()))).error.code).toBe('passkeyRefused')
    expect((await addPasskey(other, 'A', softwarePasskey({ origin: 'https://evil.example' }))).answer.status).toBe(422)
    expect((await addPasskey(other, 'A', softwarePasskey({ verifiesUser: false }))).answer.status).toBe(422)
    const stranger = softwarePasskey()
    expect((await signInAlone(stranger.answer(await challengeAlone()))).error.code).toBe('passkeyRefused')
  })

  test('is registered once; several have names; a removed one opens nothing', async () => {
    const [person, other] = [await addPerson(), await addPerson()]
    const { passkey } = await addPasskey(person, 'My phone', softwarePasskey({ counts: false }))
    await addPasskey(person, 'The key on my desk')
    expect((await addPasskey(other, 'Taken', passkey)).answer.error.code).toBe('passkeyTaken')
    const { passkeys } = await own(person.token)
    expect(passkeys.map(({ name }) => name)).toEqual(['My phone', 'The key on my desk'])
    const uid = passkeys[0]?.uid ?? ''
    expect((await call(secondFactors.removePasskey, { params: { uid } }, other)).status).toBe(404)
    expect((await call(secondFactors.removePasskey, { params: { uid } }, person)).status).toBe(200)
    expect((await signInAlone(passkey.answer(await challengeAlone()))).error.code).toBe('passkeyRefused')
    expect(await audited(person.email)).toEqual(expect.arrayContaining(['factorAdded', 'factorRemoved']))
    await vi.waitFor(() =>
      expect(subjectsTo(person.email)).toContain('A second factor was removed from your Roadshow account'),
    )
  })

  test('of a deleted user opens nothing', async () => {
    const person = await addPerson()
    const { passkey } = await addPasskey(person)
    await call(users.remove, { params: { uid: person.uid } })
    expect((await signInAlone(passkey.answer(await challengeAlone()))).error.code).toBe('passkeyRefused')
  })
})

describe('recovery codes', () => {
  test('come with the first factor, work once each, and their use is mailed and audited', async () => {
    const person = await addPerson()
    const { recoveryCodes } = await addCodeApp(person)
    expect(new Set(recoveryCodes).size).toBe(10)
    const typed = (recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ')
    expect((await finish((await pending(person.email)).token, { recoveryCode: typed })).status).toBe(200)
    expect(await madeBy(person.uid)).toBe('recoveryCode')
    const again = await finish((await pending(person.email)).token, { recoveryCode: recoveryCodes[0] })
    expect(again.error.code).toBe('recoveryCodeWrong')
    expect((await own(person.token)).recoveryCodesLeft).toBe(9)
    expect(await audited(person.email)).toContain('recoveryCodeUsed')
    await vi.waitFor(() =>
      expect(subjectsTo(person.email)).toContain('A recovery code of your Roadshow account was used'),
    )
    const rows = await db.selectFrom('recovery_code').selectAll().where('user_uid', '=', person.uid).execute()
    expect(JSON.stringify(rows)).not.toContain(recoveryCodes[1])
  })

  test('of another user open nothing, and new ones replace the old', async () => {
    const [person, other] = [await addPerson(), await addPerson()]
    const [mine, theirs] = [await addCodeApp(person), await addCodeApp(other)]
    const wrong = await finish((await pending(person.email)).token, { recoveryCode: theirs.recoveryCodes[0] })
    expect(wrong.status).toBe(401)
    const fresh = (await call(secondFactors.makeRecoveryCodes, {}, person)).body.data.recoveryCodes
    expect((await finish((await pending(person.email)).token, { recoveryCode: mine.recoveryCodes[0] })).status).toBe(
      401,
    )
    expect((await finish((await pending(person.email)).token, { recoveryCode: fresh[0] })).status).toBe(200)
  })

  test('are for users who have a factor', async () => {
    const person = await addPerson()
    expect((await call(secondFactors.makeRecoveryCodes, {}, person)).error.code).toBe('noFactor')
    const { recoveryCodes } = await addCodeApp(person)
    expect((await call(secondFactors.removeCodeApp, {}, person)).status).toBe(200)
    expect((await own(person.token)).recoveryCodesLeft).toBe(0)
    expect(recoveryCodes).toHaveLength(10)
    expect((await signIn(person.email)).status).toBe(200)
  })
})

describe('changing factors', () => {
  const changes = (token: string) => [
    () => call(secondFactors.challengePasskey, {}, { token }),
    () => call(secondFactors.startCodeApp, {}, { token }),
    () => call(secondFactors.addCodeApp, { body: { code: '123456' } }, { token }),
    () => call(secondFactors.removeCodeApp, {}, { token }),
    () => call(secondFactors.makeRecoveryCodes, {}, { token }),
  ]

  test('needs a proof of the last ten minutes: the password without a factor', async () => {
    const person = await addPerson()
    await ageProof(person.uid)
    for (const change of changes(person.token)) expect((await change()).error.code).toBe('proofNeeded')
    expect((await own(person.token)).provedUntil).toBeNull()
    const prove = (body: object) => call(secondFactors.prove, { body }, person)
    expect((await prove({ password: 'not my password' })).error.code).toBe('proofWrong')
    expect((await prove({ password: PASSWORD })).status).toBe(200)
    expect((await call(secondFactors.startCodeApp, {}, person)).status).toBe(200)
  })

  test('needs a factor from users who have one: their password is not enough', async () => {
    const person = await addPerson()
    const app = await addCodeApp(person)
    await ageProof(person.uid)
    const prove = (body: object) => call(secondFactors.prove, { body }, person)
    expect((await prove({ password: PASSWORD })).error.code).toBe('proofWrong')
    const wrong = await prove({ code: app.code() === '000000' ? '000001' : '000000' })
    expect([wrong.status, wrong.error.code]).toEqual([403, 'proofWrong'])
    expect((await prove({ code: app.code() })).status).toBe(200)
    expect((await prove({ code: app.code() })).status).toBe(403)
    const { passkey } = await addPasskey(person)
    await ageProof(person.uid)
    const asked = (await call(secondFactors.challengeProof, {}, person)).body.data
    expect((await prove({ passkey: passkey.answer(asked) })).status).toBe(200)
    expect((await call(secondFactors.removeCodeApp, {}, person)).status).toBe(200)
  })

  test('by a password reset is no way around the factor', async () => {
    const person = await addPerson()
    const app = await addCodeApp(person)
    await db.updateTable('user_account').set({ password_hash: null }).where('uid', '=', person.uid).execute()
    await call(auth.forgotPasswordMail, { body: { email: person.email } }, { token: '', address: '10.9.0.1' })
    const link = await vi.waitFor(() => {
      const mail = mails.find(({ to, subject }) => to === person.email && subject.startsWith('Reset'))
      expect(mail).toBeDefined()
      return new URL(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '')
    })
    const body = { token: link.searchParams.get('token') ?? '', password: 'a fresh password of mine' }
    expect((await call(auth.passwordReset, { body }, { token: '' })).status).toBe(200)
    const first = await signIn(person.email, body.password)
    expect(first.error.code).toBe('secondFactorAsked')
    expect((await finish(first.error.secondFactor?.token ?? '', { code: app.code() })).status).toBe(200)
  })
})

describe('an admin', () => {
  test('resets the factors of a user who lost them: sessions end, and mail and audit log say so', async () => {
    const person = await addPerson()
    await addCodeApp(person)
    await addPasskey(person)
    const { token } = await pending(person.email)
    const sales = await addPerson()
    expect((await call(users.resetFactors, { params: { uid: person.uid } }, sales)).status).toBe(403)
    const { body } = await call(users.resetFactors, { params: { uid: person.uid } })
    expect(body.data).toEqual({ userUid: person.uid, ended: 1 })
    expect(await whoAmI(person.token)).toBe(401)
    const reasons = await db.selectFrom('session').select('end_reason').where('user_uid', '=', person.uid).execute()
    expect(reasons).toEqual([{ end_reason: 'factorReset' }])
    expect((await finish(token, { code: '123456' })).error.code).toBe('signInExpired')
    expect((await signIn(person.email)).status).toBe(200)
    expect(await audited(person.email)).toContain('factorsReset')
    await vi.waitFor(() =>
      expect(subjectsTo(person.email)).toContain('The second factor of your Roadshow account was reset'),
    )
  })

  test('cannot reset their own that way', async () => {
    const answer = await call(users.resetFactors, { params: { uid: world.people.admin.uid } })
    expect([answer.status, answer.error.code]).toEqual([409, 'ownFactors'])
  })
})
