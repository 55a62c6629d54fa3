import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, setSealingKey, unseal } from './secret-box.ts'

const secret = Buffer.from('the key of a code app')

test('a sealed secret opens for its owner, and looks different each time', () => {
  const [once, again] = [seal(secret, 'dana'), seal(secret, 'dana')]
  expect(unseal(once, 'dana')).toEqual(secret)
  expect(once.equals(again)).toBe(false)
  expect(once.includes(secret)).toBe(false)
})

test('it opens for no one else, not changed, not cut off and not with another key', () => {
  const sealed = seal(secret, 'dana')
  const changed = Buffer.from(sealed)
  changed[changed.length - 1]! ^= 1
  expect(unseal(sealed, 'sam')).toBeUndefined()
  expect(unseal(changed, 'dana')).toBeUndefined()
  for (const length of [0, 8, 20, 36]) expect(unseal(sealed.subarray(0, length), 'dana')).toBeUndefined()
  setSealingKey(randomBytes(32))
  expect(unseal(sealed, 'dana')).toBeUndefined()
})
