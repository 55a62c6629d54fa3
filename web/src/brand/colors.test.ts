import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { colorIn, colors, fontFamily } from './colors.ts'
import type { ColorName, Scheme } from './colors.ts'

const tokens = readFileSync(join(import.meta.dirname, '../tokens.css'), 'utf8')
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

test('the stylesheet holds exactly the colors of the table', () => {
  const declared = tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)
  const inStylesheet = Object.fromEntries(
    [...declared].map(([, name, light, dark]) => [name, [light?.toUpperCase(), dark?.toUpperCase()]]),
  )
  expect(inStylesheet).toEqual(colors)
  expect(tokens).toContain(`--font: ${fontFamily};`)
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
