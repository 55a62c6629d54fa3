import { expect, test } from 'vitest'
import { announced, concernsDays, endpoints, isMadeOld, subjectOf, subjects } from '../index.ts'
import type { Subject } from '../index.ts'

const nameOf = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`
const reads = endpoints.filter(({ follows }) => follows !== undefined)

test('only reads follow changes', () => {
  expect(reads.filter(({ method }) => method !== 'GET').map(nameOf)).toEqual([])
  const others = endpoints.filter(({ follows, atLeastEvery, atMostEvery, concerns }) =>
    follows === undefined ? (atLeastEvery ?? atMostEvery ?? concerns) !== undefined : false,
  )
  expect(others.map(nameOf)).toEqual([])
})

// Made by phones, uploads and pages that report an error; the server announces what they change. An import changes what
// its kind says.
const ELSEWHERE = ['blob-storage', 'driver-app', 'imports', 'web-log']

test('every change that the console makes has a subject, and one only', () => {
  const words = Object.values(subjects).flat()
  expect(new Set(words).size).toBe(words.length)
  const unknown = endpoints.filter(
    ({ method, access, path }) =>
      method !== 'GET' && access !== 'public' && !ELSEWHERE.includes(path.split('/')[0] ?? '') && !subjectOf({ path }),
  )
  expect(unknown.map(nameOf)).toEqual([])
})

test('every subject is announced or changed by a call, and followed by a read', () => {
  const followed = new Set(reads.flatMap(({ follows = [] }) => follows))
  const all = Object.keys(subjects) as Subject[]
  expect(all.filter((subject) => !followed.has(subject))).toEqual([])
  const isKnown = (subject: Subject) =>
    (announced as readonly Subject[]).includes(subject) || endpoints.some((each) => subjectOf(each) === subject)
  expect(all.filter((subject) => !isKnown(subject))).toEqual([])
})

test('a change makes old what follows it and is concerned by it', () => {
  const board = { follows: ['shifts'], concerns: concernsDays } as const
  const week = { query: { from: '2026-03-02', to: '2026-03-08' } }
  const on = (day: string) => ({ subject: 'shifts', days: { from: day, to: day } }) as const
  expect(isMadeOld(board, week, { subject: 'issues' })).toBe(false)
  expect(isMadeOld(board, week, { subject: 'shifts' })).toBe(true)
  expect(isMadeOld(board, week, on('2026-03-01'))).toBe(false)
  expect(isMadeOld(board, week, on('2026-03-02'))).toBe(true)
  expect(isMadeOld(board, week, on('2026-03-08'))).toBe(true)
  expect(isMadeOld(board, week, on('2026-03-09'))).toBe(false)
  expect(isMadeOld(board, {}, on('2026-03-09'))).toBe(true)
})

test('a deleted record is not asked for again, its list is', () => {
  const read = { follows: ['trucks'] } as const
  expect(isMadeOld(read, { params: { uid: 'a' } }, { subject: 'trucks', removed: 'a' })).toBe(false)
  expect(isMadeOld(read, { params: { uid: 'b' } }, { subject: 'trucks', removed: 'a' })).toBe(true)
  expect(isMadeOld(read, { query: {} }, { subject: 'trucks', removed: 'a' })).toBe(true)
})
