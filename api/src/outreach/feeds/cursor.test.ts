import { describe, expect, test } from 'vitest'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type FeedName, readCursor, writeCursor } from './cursor.ts'

const program = '01890000-0000-7000-8000-000000000001'
const plays: FeedName = { kind: 'plays', program }
const offset = {
  at: '2026-11-16T20:00:00.123456Z',
  device: '01890000-0000-7000-8000-00000000000a',
  playId: 'odd, "id" – ünï|code 🚚',
}

const problemOf = (read: () => unknown) => {
  try {
    read()
    return undefined
  } catch (error) {
    return error instanceof AppError ? [error.code, error.fields?.['cursor']] : error
  }
}

describe('a cursor', () => {
  test('returns to the same offset, to the microsecond, whatever the id of the play is', () => {
    const cursor = writeCursor(plays, offset)
    expect(cursor).toMatch(/^[\w-]{20,300}$/)
    expect(readCursor(plays, cursor)).toEqual(offset)
    const longest = { ...offset, playId: '🚚'.repeat(32) }
    expect(writeCursor(plays, longest)).toMatch(/^[\w-]{20,300}$/)
    expect(readCursor(plays, writeCursor(plays, longest))).toEqual(longest)
  })

  test('of another feed or program, or with a changed or missing letter, is refused with a sentence', () => {
    const cursor = writeCursor(plays, offset)
    const changed = cursor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace(/^./, 'z')
    const text = 'Not a cursor of this feed. Send the last one unchanged, or leave it out to start from the beginning.'
    for (const wrong of [changed, cursor.slice(0, -4), 'abcdefghijklmnopqrst', ''])
      expect(problemOf(() => readCursor(plays, wrong))).toEqual(['badInput', text])
    expect(problemOf(() => readCursor({ kind: 'adPlays', program }, cursor))).toEqual([
      'badInput',
      'This cursor belongs to another kind of feed.',
    ])
    const other = { ...plays, program: '01890000-0000-7000-8000-000000000002' }
    expect(problemOf(() => readCursor(other, cursor))).toEqual([
      'badInput',
      'This cursor belongs to the feed of another program.',
    ])
  })
})
