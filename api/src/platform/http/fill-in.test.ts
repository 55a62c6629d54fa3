import { beforeEach, expect, test, vi } from 'vitest'
import * as databaseClock from '../db/clock.ts'
import * as zones from '../db/office-zone.ts'
import { fillWeek } from './fill-in.ts'

beforeEach(() => {
  vi.spyOn(databaseClock, 'sharedNow').mockResolvedValue(Date.parse('2026-11-18T12:00:00Z'))
  vi.spyOn(zones, 'officeZone').mockResolvedValue('America/Chicago')
})

const weekOf = (query: Record<string, unknown>) => fillWeek({ query, params: {} }, undefined as never)

test('seven days are filled in beside the day that was given', async () => {
  expect(await weekOf({ from: '2026-02-25' })).toEqual({ from: '2026-02-25', to: '2026-03-03' })
  expect(await weekOf({ to: '2026-03-03' })).toEqual({ from: '2026-02-25', to: '2026-03-03' })
})

test.each(['0000-00-00', '2026-02-30', '9999-99-99', 'Infinity', ['2026-02-25']])(
  '%s is no day: the week is this one, and the query is refused later',
  async (wrong) => {
    const usual = { from: '2026-11-16', to: '2026-11-22' }
    expect(await weekOf({})).toEqual(usual)
    expect(await weekOf({ from: wrong })).toEqual(usual)
    expect(await weekOf({ to: wrong })).toEqual(usual)
  },
)
