import { generateSync } from 'otplib'
import { describe, expect, test } from 'vitest'
import { hashRecoveryCode, keyAddress, newRecoveryCode, stepOfCode } from './rules.ts'

const key = Buffer.from('12345678901234567890')
const codeAt = (seconds: number) => generateSync({ secret: key, epoch: seconds })

describe('the code of an authenticator app', () => {
  test('is that of RFC 6238, cut to six digits', () => expect(codeAt(59)).toBe('287082'))

  test.each([
    ['in its own 30 seconds', 1_000_020, 33_334],
    ['in the 30 seconds after', 1_000_050, 33_334],
    ['in the 30 seconds before', 999_990, 33_334],
    ['not a minute later', 1_000_080, undefined],
    ['not a minute earlier', 999_960, undefined],
  ])('is taken %s', (_, at, step) => expect(stepOfCode(key, codeAt(1_000_020), at * 1000)).toBe(step))

  test('of another key is not taken', () =>
    expect(stepOfCode(Buffer.from('98765432109876543210'), codeAt(1_000_020), 1_000_020_000)).toBeUndefined())
})

test('an authenticator app reads the brand and the email from the QR code', () => {
  const address = new URL(keyAddress('ABC', { brandName: 'Road & Show', email: 'dana@example.com' }))
  expect(address.protocol).toBe('otpauth:')
  expect(address.searchParams.get('issuer')).toBe('Road & Show')
  expect(decodeURIComponent(address.pathname)).toContain('dana@example.com')
})

describe('a recovery code', () => {
  test('has four groups of signs that no one confuses', () => {
    expect(newRecoveryCode()).toMatch(/^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){3}$/)
    expect(newRecoveryCode()).not.toBe(newRecoveryCode())
  })

  test('is the same with other hyphens, spaces and case, and another user’s is another one', () => {
    const hash = hashRecoveryCode('dana', 'abcd-efgh-jkmn-pqrs')
    expect(hashRecoveryCode('dana', ' ABCDefgh jkmn-pqrs')).toEqual(hash)
    expect(hashRecoveryCode('sam', 'abcd-efgh-jkmn-pqrs')).not.toEqual(hash)
  })
})
