import { expect, test } from 'vitest'
import { compressedSize, isBetter, KEEP_BYTES, MAX_BYTES } from './compression-rules.ts'
import { FIX_HOLDS_MS, fixAt, FRESH_MS, takenJustNow } from './moment-rules.ts'

const jpeg = { type: 'image/jpeg', width: 4000, height: 3000 }

test.each([
  ['a small JPEG', { ...jpeg, bytes: KEEP_BYTES }, undefined],
  ['a large JPEG', { ...jpeg, bytes: KEEP_BYTES + 1 }, { width: 2560, height: 1920 }],
  ['a large upright JPEG', { ...jpeg, width: 3000, height: 4000, bytes: 9e6 }, { width: 1920, height: 2560 }],
  ['a heavy picture of few pixels', { ...jpeg, width: 800, height: 600, bytes: 9e6 }, { width: 800, height: 600 }],
  ['a small HEIC', { ...jpeg, type: 'image/heic', bytes: 9e5 }, { width: 2560, height: 1920 }],
  ['a picture of unknown type', { ...jpeg, type: '', bytes: 10 }, { width: 2560, height: 1920 }],
  ['a line of pixels', { ...jpeg, width: 90_000, height: 1, bytes: 9e6 }, { width: 2560, height: 1 }],
])('%s is sent in the size that the server needs', (_, facts, size) => {
  expect(compressedSize(facts)).toEqual(size)
})

test('a picture that drawing made larger is sent as it was, if the server takes it', () => {
  const original = { ...jpeg, bytes: 2e6 }
  expect(isBetter({ bytes: 1e6 }, original)).toBe(true)
  expect(isBetter({ bytes: 3e6 }, original)).toBe(false)
  expect(isBetter({ bytes: 3e6 }, { ...original, type: 'image/heic' })).toBe(true)
  expect(isBetter({ bytes: MAX_BYTES + 2 }, { ...original, bytes: MAX_BYTES + 1 })).toBe(true)
})

test('a position holds for two minutes', () => {
  const fix = { latitude: 32.8, longitude: -96.8, accuracyM: 8, at: 1_000_000 }
  expect(fixAt(fix, fix.at + FIX_HOLDS_MS)).toBe(fix)
  expect(fixAt(fix, fix.at + FIX_HOLDS_MS + 1)).toBeNull()
  // The clock was set back meanwhile.
  expect(fixAt(fix, fix.at - FIX_HOLDS_MS - 1)).toBeNull()
  expect(fixAt(undefined, 0)).toBeNull()
})

test('only a picture that was taken within the last minutes gets the present time and place', () => {
  const now = 1_800_000_000_000
  expect(takenJustNow({ lastModified: now - 4000 }, now)).toBe(now - 4000)
  expect(takenJustNow({ lastModified: now - FRESH_MS - 1 }, now)).toBeNull()
  // Files count in whole seconds on some phones.
  expect(takenJustNow({ lastModified: now + 900 }, now)).toBe(now)
  expect(takenJustNow({ lastModified: now + 60_000 }, now)).toBeNull()
})
