import { describe, expect, test } from 'vitest'
import * as z from './zod.ts'
import { email, newPassword } from '../accounts/sign-in.ts'
import { anyOf, textLine, listQuery, paragraph, requiredLine, uid } from './common.ts'
import { truckInput, trucks } from '../catalog/trucks.ts'

const fails = (schema: z.ZodType, given: unknown) => !schema.safeParse(given).success

test('half of a character is refused, a whole one is not', () => {
  for (const text of ['\ud800', 'a\udfffb', '\udc00\ud800']) {
    expect([fails(textLine(10), text), fails(paragraph(10), text)], JSON.stringify(text)).toEqual([true, true])
  }
  for (const text of ['🚚', 'Größe', '日本'])
    expect([textLine(10).parse(text), paragraph(10).parse(text)]).toEqual([text, text])
})

describe('the query of a list', () => {
  const query = listQuery(['name', 'updatedAt'], { state: anyOf(z.enum(['on', 'off'])).optional() })
  const problem = (given: Record<string, unknown>) => query.safeParse(given).error?.issues[0]?.message

  test('starts at page one, ten rows a page', () => {
    expect(query.parse({})).toEqual({ page: 1, pageSize: 10 })
  })

  test('takes pages as whole numbers from 1', () => {
    expect(query.parse({ page: '1000000', pageSize: '200' })).toEqual({ page: 1_000_000, pageSize: 200 })
    for (const page of [
      '0',
      '-1',
      '1e9',
      '1000000000',
      '999999999',
      '1000001',
      '1.5',
      '',
      ' 1',
      '1 ',
      '+1',
      '0x1',
      'NaN',
      '１',
    ]) {
      expect(problem({ page }), page).toBe('Must be a whole number from 1 to 1000000.')
    }
    for (const page of [1, null, ['1', '2'], {}]) expect(fails(query, { page }), JSON.stringify(page)).toBe(true)
  })

  test('has at most 200 rows a page', () => {
    for (const pageSize of ['0', '201', '-1', '10.0', '', '1000000000']) {
      expect(problem({ pageSize }), pageSize).toBe('Must be a whole number from 1 to 200.')
    }
  })

  test('sorts by what the list offers, both ways, and by nothing else', () => {
    for (const sort of ['name', '-name', 'updatedAt', '-updatedAt'] as const)
      expect(query.parse({ sort }).sort).toBe(sort)
    for (const sort of [
      '',
      '-',
      '--name',
      '+name',
      'Name',
      'name ',
      'uid',
      'name desc',
      'name; drop table truck',
      '__proto__',
    ]) {
      expect(problem({ sort }), sort).toBe('Must be one of name, -name, updatedAt, -updatedAt.')
    }
  })

  test('searches one line of up to 200 characters', () => {
    expect(query.parse({ search: '  50% off_\\ ' }).search).toBe('50% off_\\')
    expect(query.parse({ search: 'x'.repeat(200) }).search).toHaveLength(200)
    for (const search of ['x'.repeat(201), 'a\u0000b', 'a\nb', ['a', 'b']]) expect(fails(query, { search })).toBe(true)
  })

  test('takes one value of a filter or several', () => {
    expect(query.parse({ state: 'on' }).state).toEqual(['on'])
    expect(query.parse({ state: ['on', 'off'] }).state).toEqual(['on', 'off'])
    for (const state of ['', 'maybe', ['on', 'maybe'], Array(101).fill('on')])
      expect(fails(query, { state })).toBe(true)
  })

  test('refuses what it does not know', () => {
    for (const name of ['colour', 'constructor', '__proto__', 'toString', 'Page']) {
      const given: unknown = JSON.parse(`{"${name}":"1"}`)
      expect(fails(query, given), name).toBe(true)
    }
    expect(fails(query, { format: 'pdf' })).toBe(true)
    expect(query.parse({ format: 'csv' }).format).toBe('csv')
  })
})

describe('text as a person types it', () => {
  test('is trimmed', () => {
    expect(textLine(5).parse('  abcde  ')).toBe('abcde')
    expect(paragraph(20).parse('\n one\n two \n')).toBe('one\n two')
    expect(requiredLine(5).safeParse(' \t\n ').error?.issues[0]?.message).toBe('Required.')
  })

  test('may be as long as the field and no longer', () => {
    expect(textLine(5).parse('abcde')).toBe('abcde')
    expect(textLine(5).safeParse('abcdef').error?.issues[0]?.message).toBe('At most 5 characters.')
  })

  test('holds letters of every script, markup and quotes as they are', () => {
    for (const text of ['Größe 🚚', '<b>"x"</b>', `'; drop table truck; --`, '日本', '%_\\', '=1+1']) {
      expect(textLine(40).parse(text)).toBe(text)
      expect(paragraph(40).parse(text)).toBe(text)
    }
  })

  test('holds no control characters; only a paragraph has tabs and line breaks', () => {
    const control = [...Array(0x20).keys(), 0x7f].map((code) => String.fromCharCode(code))
    for (const sign of control) {
      const text = `a${sign}b`
      expect(fails(textLine(5), text), JSON.stringify(sign)).toBe(true)
      expect(fails(paragraph(5), text), JSON.stringify(sign)).toBe(!['\t', '\n', '\r'].includes(sign))
    }
  })

  test('is text: nothing else is taken for it', () => {
    for (const given of [1, true, null, undefined, [], {}, ['a']]) expect(fails(textLine(5), given)).toBe(true)
  })
})

describe('an email address', () => {
  test('is trimmed and written small', () => expect(email.parse('  Ann@Example.COM ')).toBe('ann@example.com'))

  test('has one @ and a domain', () => {
    const wrong = [
      '',
      'ann',
      'ann@',
      '@example.com',
      'a b@example.com',
      'a@b',
      `a@b.c\r\nBcc: x@y.zz`,
      'a\u0000@example.com',
    ]
    for (const given of wrong) expect(fails(email, given), given).toBe(true)
    expect(fails(email, `${'a'.repeat(250)}@example.com`)).toBe(true)
  })
})

describe('a new password', () => {
  test('has 10 to 200 characters, taken as typed', () => {
    expect(newPassword.parse(' 12345678 ')).toBe(' 12345678 ')
    expect(newPassword.parse('x'.repeat(200))).toHaveLength(200)
    expect(newPassword.safeParse('123456789').error?.issues[0]?.message).toBe('At least 10 characters.')
    expect(fails(newPassword, 'x'.repeat(201))).toBe(true)
    expect(newPassword.safeParse('').error?.issues[0]?.message).toBe('Required.')
  })
})

describe('a truck’s form', () => {
  const least = { number: 'T-1', kind: 'led', state: 'active' } as const

  test('needs a number, a kind and a state', () => {
    expect(truckInput.parse(least)).toMatchObject({ ...least, plate: '', vin: '', homeMarketUid: null, note: '' })
    for (const name of Object.keys(least)) expect(fails(truckInput, { ...least, [name]: undefined }), name).toBe(true)
  })

  test('writes plates and VINs large', () => {
    expect(truckInput.parse({ ...least, plate: ' abc-1 ', vin: '1htaaaaaaaaaaaaaa' })).toMatchObject({
      plate: 'ABC-1',
      vin: '1HTAAAAAAAAAAAAAA',
    })
  })

  test('takes a whole VIN or none', () => {
    for (const vin of [
      '1',
      '1HTAAAAAAAAAAAAA',
      '1HTAAAAAAAAAAAAAAA',
      '1HTAAAAAAAAAAAAAI',
      '1HTAAAAAAAAAAAAAO',
      '1HTAAAAAAAAAAAA-Q',
    ]) {
      expect(fails(truckInput, { ...least, vin }), vin).toBe(true)
    }
  })

  test('names its market by a uid', () => {
    expect(fails(truckInput, { ...least, homeMarketUid: 'Dallas' })).toBe(true)
    expect(fails(uid, '01900000-0000-7000-8000-00000000000g')).toBe(true)
    expect(truckInput.parse({ ...least, homeMarketUid: null }).homeMarketUid).toBeNull()
  })

  test('changes a truck at a version that is a whole number from 1', () => {
    const change = { ...least, uid: '01900000-0000-7000-8000-000000000000' }
    expect(trucks.update.body.parse({ ...change, version: 1 }).version).toBe(1)
    for (const version of [0, -1, 1.5, '1', null, undefined, 2 ** 31, 2 ** 53]) {
      expect(fails(trucks.update.body, { ...change, version }), String(version)).toBe(true)
    }
  })
})
