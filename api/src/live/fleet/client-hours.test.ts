import { describe, expect, test } from 'vitest'
import { hoursOfClient } from './client-hours.ts'

/** A shift of client `own` or `other` from one hour to another; started unless it is only planned. */
const shift = (uid: string, clientUid: string, from: number, to: number, isStarted = true) => ({
  uid,
  clientUid,
  held: { from, to },
  isStarted,
})
const hours = (...given: ReturnType<typeof shift>[]) =>
  hoursOfClient(given, 'own', 24).map(({ from, to }) => [from, to])

describe('a client has a truck', () => {
  test('in the hours of its shifts, one after the other', () => {
    expect(hours(shift('b', 'own', 12, 16), shift('a', 'own', 2, 6), shift('c', 'other', 6, 12))).toEqual([
      [2, 6],
      [12, 16],
    ])
  })

  test('up to now, and not at all before its shift', () => {
    expect(hours(shift('a', 'own', 20, 36))).toEqual([[20, 24]])
    expect(hours(shift('a', 'own', 24, 30))).toEqual([])
  })

  test('not while an earlier shift of another client runs over into one that is only planned', () => {
    expect(hours(shift('a', 'other', 2, 9), shift('b', 'own', 6, 12, false))).toEqual([[9, 12]])
  })

  test('while its own shift runs over into one that is only planned', () => {
    expect(hours(shift('a', 'own', 2, 9), shift('b', 'other', 6, 12, false))).toEqual([[2, 9]])
  })

  test('until another shift is started', () => {
    expect(hours(shift('a', 'own', 2, 9), shift('b', 'other', 6, 12))).toEqual([[2, 6]])
    expect(hours(shift('a', 'own', 2, 12), shift('b', 'other', 6, 9))).toEqual([
      [2, 6],
      [9, 12],
    ])
  })

  test('also where two of its own shifts overlap', () => {
    expect(hours(shift('a', 'own', 2, 9), shift('b', 'own', 6, 12))).toEqual([
      [2, 9],
      [6, 12],
    ])
  })
})
