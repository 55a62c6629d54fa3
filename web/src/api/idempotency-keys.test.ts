import { describe, expect, test } from 'vitest'
import { createIdempotencyKeys } from './idempotency-keys.ts'

const photo = (size: number) => new File(['x'.repeat(size)], 'photo.jpg', { lastModified: 1 })

describe('the key of something new', () => {
  test('stays the same until it is stored', () => {
    const keys = createIdempotencyKeys()
    const key = keys.keyFor({ text: 'On it' })
    expect(keys.keyFor({ text: 'On it' })).toBe(key)
    keys.forget()
    expect(keys.keyFor({ text: 'On it' })).not.toBe(key)
  })

  test('is another one for another text or another file', () => {
    const keys = createIdempotencyKeys()
    const inputs = [{ text: 'a' }, { text: 'b' }, { text: 'b', logo: [photo(1)] }, { text: 'b', logo: [photo(2)] }]
    expect(new Set(inputs.map((input) => keys.keyFor(input))).size).toBe(4)
    expect(keys.keyFor({ text: 'b', logo: [photo(2)] })).toBe(keys.keyFor({ text: 'b', logo: [photo(2)] }))
  })
})
