import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { feeds } from '@roadshow/contract'
import { AppError } from '../../platform/runtime/app-error.ts'
import { type FeedName, readCursor, writeCursor, writeStoredOffset } from './cursor.ts'

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

const NO_CURSOR = 'Not a cursor of this feed. Send the last one unchanged, or leave it out to start from the beginning.'

describe('a cursor', () => {
  test('returns to the same offset, to the microsecond, whatever the id of the play is', () => {
    const cursor = writeCursor(plays, offset)
    expect(readCursor(plays, cursor)).toEqual(offset)
    const longest = { ...offset, playId: '車'.repeat(64) }
    for (const each of [cursor, writeCursor(plays, longest)]) {
      expect(feeds.playLines.query.safeParse({ cursor: each }).error).toBeUndefined()
    }
    expect(readCursor(plays, writeCursor(plays, longest))).toEqual(longest)
  })

  test('of another feed or program, or with a changed or missing letter, is refused with a sentence', () => {
    const cursor = writeCursor(plays, offset)
    const changed = cursor.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')).replace(/^./, 'z')
    for (const wrong of [changed, cursor.slice(0, -4), 'abcdefghijklmnopqrst', ''])
      expect(problemOf(() => readCursor(plays, wrong))).toEqual(['badInput', NO_CURSOR])
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

  test('is signed: its content cannot be changed', () => {
    const bytes = Buffer.from(writeCursor(plays, offset), 'base64url')
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    expect(problemOf(() => readCursor(plays, bytes.toString('base64url')))).toEqual(['badInput', NO_CURSOR])
  })

  test('of an earlier version, which has a check sum only, goes on working', () => {
    expect(readCursor(plays, writeStoredOffset(plays, offset))).toEqual(offset)
  })

  const micros = BigInt(Date.UTC(2026, 10, 16)) * 1000n
  test.each([
    ['a time before 1970', -1n, Buffer.from('p')],
    ['a time that no Date has', 2n ** 62n, Buffer.from('p')],
    ['the year 2200', BigInt(Date.UTC(2200, 0)) * 1000n, Buffer.from('p')],
    ['an id that no database stores', micros, Buffer.from('p\0')],
    ['an id that is no text', micros, Buffer.from([0xff, 0xfe])],
    ['an id that is too long', micros, Buffer.from('p'.repeat(65))],
  ])('that is made up with a right check sum and %s is refused', (_, at, playId) => {
    const content = Buffer.from(writeStoredOffset(plays, { ...offset, playId: '' }), 'base64url').subarray(4)
    content.writeBigInt64BE(at, 17)
    const whole = Buffer.concat([content, playId])
    const text = Buffer.concat([hash('sha256', whole, 'buffer').subarray(0, 4), whole]).toString('base64url')
    expect(problemOf(() => readCursor(plays, text))).toEqual(['badInput', NO_CURSOR])
  })
})
