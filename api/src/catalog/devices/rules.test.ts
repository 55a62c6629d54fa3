import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isCodeAccepted, isSameHash, keyProblem } from './rules.ts'

const hash = (text: string) => createHash('sha256').update(text).digest()

test.each([
  ['the same hash', hash('a'), hash('a'), true],
  ['another hash', hash('a'), hash('b'), false],
  ['no stored hash', null, hash('a'), false],
  ['no stored hash, compared with zeros', undefined, Buffer.alloc(32), false],
])('hashes: %s', (_, stored, given, isSame) => expect(isSameHash(stored, given)).toBe(isSame))

describe('a pairing code', () => {
  test.each([
    ['is accepted while it counts', { code_hash: hash('code'), code_counts: true }, true],
    ['is refused when it has expired', { code_hash: hash('code'), code_counts: false }, false],
    ['is refused when it is another', { code_hash: hash('other'), code_counts: true }, false],
    ['is refused when it was used', { code_hash: null, code_counts: false }, false],
    ['is refused for an unknown device', undefined, false],
  ])('%s', (_, stored, isAccepted) => expect(isCodeAccepted(stored, hash('code'))).toBe(isAccepted))
})

describe('a device key', () => {
  test.each([
    ['opens its device', { key_hash: hash('key'), revoked_at: null }, undefined],
    ['is wrong for a device with another key', { key_hash: hash('new'), revoked_at: null }, 'deviceKey'],
    ['is wrong for a device that was never paired', { key_hash: null, revoked_at: null }, 'deviceKey'],
    ['was revoked', { key_hash: null, revoked_at: '2026-11-01' }, 'deviceRevoked'],
    ['of an unknown device opens nothing', undefined, 'deviceUnknown'],
  ])('%s', (_, stored, code) => expect(keyProblem(stored, hash('key'))?.code).toBe(code))
})
