import { describe, expect, test } from 'vitest'
import { parseCsv } from './csv.js'

const rows = (text: string, delimiter = ',') => parseCsv(text, delimiter, 1_000_000)

describe('a CSV text', () => {
  test('is read by whatever ends its lines', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(rows(['a,b', 'c,d', '', 'e', ''].join(end))).toEqual([['a', 'b'], ['c', 'd'], [''], ['e']])
    }
    expect(rows('')).toEqual([])
    expect(rows('a,')).toEqual([['a', '']])
    expect(rows('a,b')).toEqual([['a', 'b']])
  })

  test('may hold anything in quotes', () => {
    expect(rows('"a,b","say ""hi""","two\r\nlines",""\n"x"')).toEqual([['a,b', 'say "hi"', 'two\r\nlines', ''], ['x']])
    expect(rows('a;"b;c"|d', ';')).toEqual([['a', 'b;c|d']])
    expect(rows('a|b', '|')).toEqual([['a', 'b']])
    expect(rows('a\t"b\tc"', '\t')).toEqual([['a', 'b\tc']])
  })

  test('may have quotes that are only quotes', () => {
    expect(rows('5" pipe,a "b" c')).toEqual([['5" pipe', 'a "b" c']])
    expect(rows('"5" pipe,x')).toEqual([['5 pipe', 'x']])
  })

  test('whose quotes do not end is none', () => {
    expect(rows('a,"b')).toBeUndefined()
    expect(rows('a\n"b,c\nd,e\n')).toBeUndefined()
  })

  test('of a million short rows is read no further than asked for', () => {
    expect(parseCsv(`a,b,c\n${'x\n'.repeat(1_000_000)}`, ',', 100_000)).toHaveLength(100_000)
  })
})
