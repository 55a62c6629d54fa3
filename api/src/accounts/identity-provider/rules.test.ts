import { describe, expect, test } from 'vitest'
import {
  accountNameOf,
  claimedRoleOf,
  hasStrongMethod,
  judgeSignIn,
  type KnownAccount,
  verifiedEmailOf,
} from './rules.ts'

describe('an address counts as verified', () => {
  test.each([
    [{ email: 'Dana@Example.com', email_verified: true }, 'dana@example.com'],
    [{ email: 'dana@example.com', email_verified: 'true' }, 'dana@example.com'],
    [{ email: 'dana@example.com', xms_edov: true }, 'dana@example.com'],
    [{ email: 'dana@example.com', xms_edov: 1 }, 'dana@example.com'],
    [{ email: 'dana@example.com' }, undefined],
    [{ email: 'dana@example.com', email_verified: false }, undefined],
    [{ email: 'dana@example.com', email_verified: 'false' }, undefined],
    [{ email: 'dana@example.com', email_verified: 1 }, undefined],
    [{ email: 'dana@example.com', xms_edov: 0 }, undefined],
    [{ preferred_username: 'dana@example.com', email_verified: true }, undefined],
    [{ email: 'dana', email_verified: true }, undefined],
    [{ email: 'a@b@c', email_verified: true }, undefined],
    [{ email: ['dana@example.com'], email_verified: true }, undefined],
    [{ email: `${'x'.repeat(250)}@example.com`, email_verified: true }, undefined],
  ])('%j: %s', (claims, email) => expect(verifiedEmailOf([claims])).toBe(email))

  const mine = 'dana@example.com'
  test.each([
    [[{ email_verified: true }, { email: mine }], undefined],
    [[{ email_verified: true }, { email: mine, email_verified: false }], undefined],
    [[{ xms_edov: true }, { email: mine }], undefined],
    [[{ email: mine }, { email_verified: true }], undefined],
    [[{ email: mine }, { email: 'other@example.com', email_verified: true }], undefined],
    [
      [
        { email: mine, email_verified: false },
        { email: mine, email_verified: true },
      ],
      undefined,
    ],
    [
      [
        { email: mine, email_verified: true },
        { email: 'other@example.com', email_verified: true },
      ],
      mine,
    ],
    [[{}, { email: mine, email_verified: true }], mine],
  ])('only by the answer that names it: %j: %s', (answers, email) => expect(verifiedEmailOf(answers)).toBe(email))
})

describe('a claim gives a role', () => {
  const roles = [
    { value: 'fleet-admins', role: 'admin' },
    { value: 'dispatch', role: 'sales' },
  ] as const

  test.each([
    ['dispatch', 'sales'],
    [['dispatch'], 'sales'],
    [['dispatch', 'fleet-admins'], 'admin'],
    [['Dispatch'], undefined],
    [['others'], undefined],
    [[], undefined],
    ['dispatch fleet-admins', undefined],
    [undefined, undefined],
    [{ dispatch: true }, undefined],
    [[['dispatch']], undefined],
  ])('%j: %s', (claim, role) => expect(claimedRoleOf(claim, roles)).toBe(role))
})

test.each([
  [['pwd', 'mfa'], true],
  [['otp'], true],
  ['hwk', true],
  [['pwd'], false],
  [undefined, false],
  [[null, 7], false],
])('the methods %j are a second factor: %s', (amr, isStrong) => expect(hasStrongMethod(amr)).toBe(isStrong))

test.each([
  [{ name: ' Dana Brooks ' }, 'Dana Brooks'],
  [{ given_name: 'Dana', family_name: 'Brooks' }, 'Dana Brooks'],
  [{ email: 'dana@example.com' }, 'dana'],
  [{ name: 'Dana\u0000\nBrooks' }, 'Dana  Brooks'],
  [{ name: 'x'.repeat(500) }, 'x'.repeat(120)],
  [{}, 'New user'],
])('%j is called %s', (claims, name) => expect(accountNameOf(claims)).toBe(name))

describe('a person whom the provider has identified', () => {
  const account: KnownAccount = { uid: 'u', role: 'sales', isDeleted: false, hasOwner: true }
  const linkedTo = (changed: object = {}) => ({ ...account, hasRoleFromClaim: false, ...changed })
  const unknownPerson = { linked: undefined, sameEmail: undefined, hasClaimMap: true }
  const dana = { verifiedEmail: 'dana@example.com', claimedRole: undefined }

  test('signs in to the account that is linked, whatever their address is now', () => {
    const facts = { ...unknownPerson, linked: linkedTo() }
    const expected = { is: 'signIn', userUid: 'u', role: undefined }
    expect(judgeSignIn(dana, facts)).toEqual(expected)
    expect(judgeSignIn({ ...dana, verifiedEmail: undefined }, facts)).toEqual(expected)
  })

  test('gets the role that a claim gives', () => {
    const judged = judgeSignIn({ ...dana, claimedRole: 'admin' }, { ...unknownPerson, linked: linkedTo() })
    expect(judged).toMatchObject({ role: 'admin' })
    const same = judgeSignIn({ ...dana, claimedRole: 'sales' }, { ...unknownPerson, linked: linkedTo() })
    expect(same).toMatchObject({ is: 'signIn', role: undefined })
  })

  test('who is a client stays one: the account belongs to a client', () => {
    const facts = { ...unknownPerson, linked: linkedTo({ role: 'client' }) }
    expect(judgeSignIn({ ...dana, claimedRole: 'admin' }, facts)).toMatchObject({ is: 'signIn', role: undefined })
  })

  test('who got the role by a claim is refused once the claim is gone, and loses open sessions', () => {
    const facts = { ...unknownPerson, linked: linkedTo({ hasRoleFromClaim: true }) }
    const refused = { is: 'refuse', code: 'singleSignOnNoRole', endsSessionsOf: 'u' }
    expect(judgeSignIn(dana, facts)).toEqual(refused)
    expect(judgeSignIn(dana, { ...facts, hasClaimMap: false })).toMatchObject({ is: 'signIn' })
  })

  test('whose account was deleted is refused, linked or not', () => {
    const refused = { is: 'refuse', code: 'accountDeleted' }
    expect(judgeSignIn(dana, { ...unknownPerson, linked: linkedTo({ isDeleted: true }) })).toEqual(refused)
    expect(judgeSignIn(dana, { ...unknownPerson, sameEmail: { ...account, isDeleted: true } })).toEqual(refused)
  })

  test('whose address is not verified is refused, no matter who has it here', () => {
    const stranger = { verifiedEmail: undefined, claimedRole: 'admin' as const }
    expect(judgeSignIn(stranger, unknownPerson)).toEqual({ is: 'refuse', code: 'singleSignOnUnverified' })
  })

  test('has to be confirmed by the owner of the account with the same address', () => {
    const facts = { ...unknownPerson, sameEmail: account }
    expect(judgeSignIn({ ...dana, claimedRole: 'admin' }, facts)).toEqual({ is: 'confirm', userUid: 'u' })
  })

  test('who was invited and never came uses the invitation', () => {
    const facts = { ...unknownPerson, sameEmail: { ...account, hasOwner: false } }
    expect(judgeSignIn(dana, facts)).toEqual({ is: 'link', userUid: 'u', role: undefined })
  })

  test('without an account gets one by a claim, and is refused otherwise', () => {
    expect(judgeSignIn({ ...dana, claimedRole: 'sales' }, unknownPerson)).toEqual({ is: 'create', role: 'sales' })
    expect(judgeSignIn(dana, unknownPerson)).toEqual({ is: 'refuse', code: 'singleSignOnUnknown' })
  })
})
