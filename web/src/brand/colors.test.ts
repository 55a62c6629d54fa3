import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { colorIn, colors } from './colors.ts'
import type { ColorName, Scheme } from './colors.ts'

const SOURCES = join(import.meta.dirname, '..')
const schemes: Scheme[] = ['light', 'dark']

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(scheme: Scheme, one: ColorName, other: ColorName): number {
  const [dark = 0, light = 0] = [luminance(colorIn(one, scheme)), luminance(colorIn(other, scheme))].toSorted(
    (a, b) => a - b,
  )
  return (light + 0.05) / (dark + 0.05)
}

// The margin boxes of a printed page know no custom properties.
const PRINTED = join('proof', 'public-page', 'print.css')

test('colors stand in the table and nowhere else', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.(?:css|tsx?)$/.test(path) && !/\.test\.|[\\/]test-|^test-/.test(path) && path !== PRINTED,
  )
  const others = files.filter((path) => path !== join('brand', 'colors.ts'))
  expect(others.length).toBeGreaterThan(500)
  const literal = /#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})\b(?!\()|\b(?:rgb|hsl)a?\(/i
  expect(others.filter((path) => literal.test(readFileSync(join(SOURCES, path), 'utf8')))).toEqual([])
})

test('the margins of a printed page have the soft ink of the table', () => {
  const printed = readFileSync(join(SOURCES, PRINTED), 'utf8').match(/#\w+/g)
  expect(new Set(printed)).toEqual(new Set([colors['ink-soft'][0].toLowerCase()]))
})

const readable: ColorName[] = [
  'ink',
  'ink-soft',
  'amber',
  'driving',
  'parked',
  'silent',
  'playing-silent',
  'warn',
  'bad',
  'off-shift',
]
const pairs: [ColorName, ColorName, number][] = [
  ...readable.flatMap((name): [ColorName, ColorName, number][] => [
    [name, 'paper', 4.5],
    [name, 'page', 4.5],
  ]),
  ['ink', 'bad-row', 4.5],
  ['on-asphalt', 'asphalt', 4.5],
  ['on-asphalt-soft', 'asphalt', 4.5],
  ['headlight', 'asphalt', 4.5],
  ['on-headlight', 'headlight', 4.5],
  ['on-headlight', 'headlight-pressed', 4.5],
  ['control', 'paper', 3],
  ['control', 'page', 3],
]

test.each(schemes.flatMap((scheme) => pairs.map((pair) => [scheme, ...pair] as const)))(
  'in %s, %s on %s has a contrast of at least %d',
  (scheme, one, other, least) => expect(contrast(scheme, one, other)).toBeGreaterThanOrEqual(least),
)
