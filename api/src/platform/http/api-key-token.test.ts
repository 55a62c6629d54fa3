import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isApiKey, isWholeApiKey, newApiKey, startOfApiKey } from './api-key-token.ts'

test('a key carries a prefix for scanners, 256 random bits and a checksum', () => {
  const keys = Array.from({ length: 200 }, newApiKey)
  expect(new Set(keys).size).toBe(200)
  for (const key of keys) {
    expect(key).toMatch(/^rk_[\w-]{43}[0-9a-z]{7}$/)
    expect([isApiKey(key), isWholeApiKey(key)]).toEqual([true, true])
    expect(startOfApiKey(key)).toBe(key.slice(0, 9))
  }
})

test('a mistyped, cut or lengthened key is known as one, and refused without the database', () => {
  const key = newApiKey()
  const turned = `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`
  for (const wrong of [turned, key.slice(0, -1), `${key}0`, 'rk_', 'rk_live_x']) {
    expect([isApiKey(wrong), isWholeApiKey(wrong)], wrong).toEqual([true, false])
  }
})

test('a session’s token is never taken for a key, whatever it begins with', () => {
  const token = `rk_${randomBytes(32).toString('base64url').slice(3)}`
  expect(isApiKey(token)).toBe(false)
})
