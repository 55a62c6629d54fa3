import { describe, expect, test } from 'vitest'
import { emailProblem, invitedClientUser, photoProblems, userRemovalProblem } from './rules.ts'

const admin = { role: 'admin' } as const
const sales = { role: 'sales' } as const
const bodyOf = (...given: Parameters<typeof emailProblem>) => emailProblem(...given)?.body
const holder = (deleted_at: string | null) => ({ uid: 'u1', name: 'Dana', deleted_at })

describe('the email address of a user', () => {
  test('an address that no user has is fine', () => expect(emailProblem(undefined, admin)).toBeUndefined())

  test('the address of a user is taken', () => {
    expect(bodyOf(holder(null), admin)).toMatchObject({ code: 'emailTaken' })
    expect(bodyOf(holder(null), admin)).not.toHaveProperty('conflict')
  })

  test('an admin learns which deleted user has it', () =>
    expect(bodyOf(holder('2026-11-01'), admin)).toMatchObject({
      code: 'emailOfDeleted',
      conflict: { uid: 'u1', name: 'Dana' },
    }))

  test('other roles do not', () => {
    expect(bodyOf(holder('2026-11-01'), sales)).toMatchObject({ code: 'emailTaken' })
    expect(bodyOf(holder('2026-11-01'), sales)).not.toHaveProperty('conflict')
  })
})

describe('the photo of a user', () => {
  const current = { photo: { uid: 'own' }, version: 2 }
  test.each([
    ['no photo is fine', null, 2, current, []],
    ['the own photo stays', 'own', 2, current, []],
    ['another file is refused', 'other', 2, current, ['photoFileUid']],
    ['an old version is refused elsewhere', 'other', 1, current, []],
    ['a new user names no file', 'other', undefined, undefined, ['photoFileUid']],
  ])('%s', (_, photoFileUid, version, user, fields) =>
    expect(Object.keys(photoProblems({ photoFileUid, ...(version && { version }) }, user))).toEqual(fields),
  )
})

describe('deleting a user', () => {
  test.each([
    ['another user can be deleted', { uid: 'u2', deletedAt: null }, undefined],
    ['the own account cannot', { uid: 'u1', deletedAt: null }, 'ownAccount'],
    ['a deleted user is not found', { uid: 'u2', deletedAt: '2026-11-01' }, 'notFound'],
  ])('%s', (_, user, code) => expect(userRemovalProblem(user, { uid: 'u1' })?.code).toBe(code))
})

test('an invited contact becomes a user of role client without pay rates', () =>
  expect(invitedClientUser({ clientUid: 'c', name: 'Ann', email: 'ann@acme.com' })).toMatchObject({
    role: 'client',
    clientUid: 'c',
    payRates: [],
  }))
