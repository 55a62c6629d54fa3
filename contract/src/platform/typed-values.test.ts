import { describe, expect, test } from 'vitest'
import { readChoice, readDecimal, readMoney, readWhole } from './typed-values.ts'

describe('what people type', () => {
  test.each([
    ['$1,250.00', 125_000],
    ['1250', 125_000],
    ['$ 1250.5', 125_050],
    ['1,250 USD', 125_000],
    ['0', 0],
    ['12.500', 1250],
  ])('the amount %s is %i cents', (typed, cents) => expect(readMoney(typed)).toEqual({ value: cents }))

  test.each(['', 'free', '1,25', '12.345', '1 250', '1e5', '$', '--5'])('%j is no amount', (typed) =>
    expect(readMoney(typed)).toEqual({ problem: 'Must be an amount such as $1,250.00 or 1250.' }),
  )

  test.each(['-5', '($5.00)', '−$20.00'])('%s is refused as negative', (typed) =>
    expect(readMoney(typed)).toEqual({ problem: 'Must not be negative.' }),
  )

  test('whole numbers and others are told apart', () => {
    expect([readWhole('1,250'), readWhole('30.0')]).toEqual([{ value: 1250 }, { value: 30 }])
    expect(readWhole('1.5')).toEqual({ problem: 'Must be a whole number such as 1,250.' })
    expect([readDecimal('-95.37 °'), readDecimal('29.76')]).toEqual([{ value: -95.37 }, { value: 29.76 }])
    expect(readDecimal('north')).toEqual({ problem: 'Must be a number such as 29.7604.' })
  })

  test('a choice is known by its key, its label and other words', () => {
    const labels = { active: 'Active', inShop: 'In shop' }
    const read = (typed: string) => readChoice(typed, labels, { active: ['running'] })
    expect(['in shop', 'INSHOP', 'Running', 'active'].map(read)).toEqual(
      ['inShop', 'inShop', 'active', 'active'].map((value) => ({ value })),
    )
    expect(read('sold')).toEqual({ problem: 'Must be Active or In shop.' })
  })
})
