import { describe, expect, test } from 'vitest'
import { openPayPeriodOn, payPeriodOn, unsettledDays } from './pay-calendar.ts'
import type { PayCalendar } from './pay-calendar.ts'

const weekly: PayCalendar = { payCalendar: 'weekly', payCalendarFrom: null }
const twoWeeks: PayCalendar = { payCalendar: 'everyTwoWeeks', payCalendarFrom: '2026-11-02' }
const twice: PayCalendar = { payCalendar: 'twiceAMonth', payCalendarFrom: null }
const text = ({ from, to }: { from: string; to: string }) => `${from} ${to}`

describe('the pay period of a day', () => {
  test('is a week from Monday, or from the weekday that is set', () => {
    expect(text(payPeriodOn(weekly, '2026-11-18'))).toBe('2026-11-16 2026-11-22')
    expect(text(payPeriodOn(weekly, '2026-11-16'))).toBe('2026-11-16 2026-11-22')
    expect(text(payPeriodOn({ ...weekly, payCalendarFrom: '2026-11-07' }, '2026-11-13'))).toBe('2026-11-07 2026-11-13')
  })

  test('is two weeks counted from a day, before it too, and over the ends of summer and winter time', () => {
    for (const [day, days] of [
      ['2026-11-02', '2026-11-02 2026-11-15'],
      ['2026-11-15', '2026-11-02 2026-11-15'],
      ['2026-11-16', '2026-11-16 2026-11-29'],
      ['2026-11-01', '2026-10-19 2026-11-01'],
      ['2026-03-08', '2026-02-23 2026-03-08'],
      ['2027-03-14', '2027-03-08 2027-03-21'],
    ] as const)
      expect(text(payPeriodOn(twoWeeks, day))).toBe(days)
  })

  test('is half a month or a month of any length', () => {
    expect(text(payPeriodOn(twice, '2028-02-15'))).toBe('2028-02-01 2028-02-15')
    expect(text(payPeriodOn(twice, '2028-02-16'))).toBe('2028-02-16 2028-02-29')
    expect(text(payPeriodOn(twice, '2026-12-31'))).toBe('2026-12-16 2026-12-31')
    expect(text(payPeriodOn({ ...twice, payCalendar: 'monthly' }, '2026-12-31'))).toBe('2026-12-01 2026-12-31')
  })

  test('stays as it is once it is settled, and leaves out days that an earlier calendar settled', () => {
    const settled = [
      { from: '2026-11-02', to: '2026-11-08' },
      { from: '2026-11-23', to: '2026-11-24' },
    ]
    expect(text(openPayPeriodOn(twice, '2026-11-05', settled))).toBe('2026-11-02 2026-11-08')
    expect(text(openPayPeriodOn(twice, '2026-11-01', settled))).toBe('2026-11-01 2026-11-01')
    expect(text(openPayPeriodOn(twice, '2026-11-12', settled))).toBe('2026-11-09 2026-11-15')
    expect(text(openPayPeriodOn(twice, '2026-11-20', settled))).toBe('2026-11-16 2026-11-22')
    expect(text(openPayPeriodOn(twice, '2026-11-30', settled))).toBe('2026-11-25 2026-11-30')
  })

  test('is found by the days that no period settles', () => {
    const settled = [
      { from: '2026-11-02', to: '2026-11-08' },
      { from: '2026-11-16', to: '2026-11-22' },
    ]
    expect(unsettledDays({ from: '2026-11-02', to: '2026-11-30' }, settled).map(text)).toEqual([
      '2026-11-09 2026-11-15',
      '2026-11-23 2026-11-30',
    ])
    expect(unsettledDays({ from: '2026-11-03', to: '2026-11-07' }, settled)).toEqual([])
    expect(unsettledDays({ from: '2026-11-14', to: '2026-11-30' }, settled).map(text)).toEqual([
      '2026-11-14 2026-11-15',
      '2026-11-23 2026-11-30',
    ])
    expect(unsettledDays({ from: '2026-11-01', to: '2026-11-01' }, []).map(text)).toEqual(['2026-11-01 2026-11-01'])
  })
})
