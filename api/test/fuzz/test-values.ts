import { z } from 'zod'

/** Chance that can be repeated: the same seed throws the same. */
export interface Dice {
  /** From 0 up to, not including, 1. */
  next(): number
  below(count: number): number
  chance(likelihood: number): boolean
  pick<T>(from: readonly T[]): T
}

export function diceOf(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  return { next, below, chance: (likelihood) => next() < likelihood, pick: (from) => from[below(from.length)] as never }
}

/** A schema as JSON Schema writes it, as far as the contract uses it. */
interface Shape {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  /** False where `prefixItems` are all there may be. */
  items?: Shape | false
  prefixItems?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
}

const shapes = new WeakMap<z.ZodType, Shape>()

function shapeOf(schema: z.ZodType): Shape {
  const known = shapes.get(schema)
  if (known) return known
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  shapes.set(schema, shape)
  return shape
}

/** Texts that patterns of the contract ask for; one that fits is taken. */
const TEXTS = [
  'T-1',
  'Acme',
  'summer',
  'A note',
  'a',
  '7',
  '12',
  '2026',
  '75201',
  'TX',
  '08:00',
  '23:59',
  '16:30',
  '02:00:00:00:00:01',
  'ABCDEFGH',
  'America/Chicago',
  'a.png',
  'me@example.com',
  '#FFDEDE',
  'a'.repeat(64),
  '0'.repeat(32),
  'x'.repeat(43),
  '',
  ' padded ',
  'Größe 日本 🚚',
  "O'Brien",
]
const DAYS = ['2026-02-01', '2026-02-08', '2025-12-31', '2020-02-29', '1970-01-01', '2199-12-31']
const INSTANTS = [
  '2026-02-01T12:00:00Z',
  '2020-02-29T23:59:59.999Z',
  '1970-01-01T00:00:00Z',
  // Within the pattern, and where clocks, offsets and sums leave what a database or a Date can hold.
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '1969-12-31T23:59:59Z',
  '2038-01-19T03:14:08Z',
  '9999-01-01T00:00:00Z',
  '9999-12-31T23:59:59.9999999Z',
]
const ZONED_INSTANTS = ['0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-23:59', '2026-02-01T12:00:00-06:00']
/** For numbers whose schema names no bounds: where int4, int8, real and double precision end. */
const EDGES = [2 ** 15, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 63, 1e39, 1e308, 5e-324]

/** Values that ask for trouble wherever they are put. */
export const hostile: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '‮',
  'x'.repeat(1e4),
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  Number.MIN_VALUE,
  '0',
  '-1',
  '1e9',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '9'.repeat(400),
  `'; drop table truck; --`,
  `' or '1'='1`,
  '$1',
  '%',
  '_',
  '\\',
  '"',
  '`',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '..%2f..%2f',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  '=cmd()',
  '+1',
  '@x',
  '-1+1',
  '0000-00-00',
  '2026-02-30',
  '9999-99-99',
  '2026-13-01T00:00:00Z',
  '-271821-04-20',
  '24:00',
  '99:99',
  '+14:00',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '__proto__',
  'constructor',
  'toString',
  JSON.parse('{"__proto__x":{"role":"admin"},"constructor":{"prototype":{}},"length":-1}'),
  { $ne: null },
  JSON.parse('{"then":1}'),
  Array.from({ length: 1001 }, () => 'x'),
  Array.from({ length: 200 }, (_, n) => n),
  nested(200),
]

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let n = 0; n < depth; n++) value = n % 2 ? [value] : { a: value }
  return value
}

/** Uids of records that are there, by the table they are in. */
export type Pools = ReadonlyMap<string, readonly string[]>

/** Which table a field names a row of. */
const tables: [field: RegExp, table: string][] = [
  [/truck/i, 'truck'],
  [/driver|user|takenBy/i, 'user_account'],
  [/program/i, 'client_program'],
  [/client/i, 'client'],
  [/market/i, 'market'],
  [/shift/i, 'shift'],
  [/artwork.*set|artworkSet/i, 'artwork_set'],
  [/addressSet|setUid/i, 'address_set'],
  [/address/i, 'sd_address'],
  [/pixel/i, 'pixel_map'],
  [/photoUid|before|uids/i, 'pop_photo'],
  [/file|artwork|logo/i, 'stored_file'],
  [/session/i, 'session'],
]

/** Makes values: as the contract asks for them, nearly so, and not at all. `uid` alone is a row of `ownTable`. */
export function valuesOf(dice: Dice, pools: () => Pools) {
  let ownTable = ''
  function uid(field = ''): string {
    const all = pools()
    const table = field === 'uid' || field === '' ? ownTable : tables.find(([pattern]) => pattern.test(field))?.[1]
    const own = all.get(table ?? ownTable) ?? []
    if (own.length > 0 && dice.chance(0.9)) return dice.pick(own)
    return dice.chance(0.7) ? dice.pick([...all.values()].flat()) : dice.pick(hostile.filter(isText))
  }

  function text(shape: Shape, field: string): string {
    const { format, pattern, minLength = 0, maxLength = 200 } = shape
    if (format === 'uuid') return uid(field)
    if (format === 'date') return dice.pick(DAYS)
    if (format === 'date-time') return instant(pattern)
    if (format === 'email') return `person-${dice.below(50)}@example.com`
    if (dice.chance(0.05)) return 'x'.repeat(Math.min(maxLength, 5000))
    const fits = new RegExp(pattern ?? '', 'u')
    const candidates = TEXTS.filter((each) => each.length >= minLength && each.length <= maxLength && fits.test(each))
    return candidates.length > 0 ? dice.pick(candidates) : 'x'.repeat(Math.max(1, minLength))
  }

  /** One that the pattern takes; a query of a feed also takes offsets. */
  function instant(pattern = ''): string {
    const fits = new RegExp(pattern, 'u')
    return dice.pick([...INSTANTS, ...ZONED_INSTANTS].filter((each) => fits.test(each)))
  }

  function number({ type, ...bounds }: Shape): number {
    const { minimum = -1000, maximum = 1000 } = bounds
    if (dice.chance(0.3)) return dice.pick([minimum, maximum])
    if (dice.chance(0.1)) {
      const edge = dice.pick(type === 'integer' ? EDGES.filter(Number.isSafeInteger) : EDGES)
      if (edge <= (bounds.maximum ?? edge)) return -edge >= (bounds.minimum ?? -edge) && dice.chance(0.3) ? -edge : edge
    }
    const value = minimum + dice.next() * (Math.min(maximum, minimum + 1e6) - minimum)
    return type === 'integer' ? Math.floor(value) : value
  }

  function list(
    { items = {}, prefixItems, minItems = 0, maxItems = 3 }: Shape,
    depth: number,
    field: string,
  ): unknown[] {
    if (prefixItems || !items) return (prefixItems ?? []).map((each) => made(each, depth + 1, field))
    const count = minItems + dice.below(Math.min(maxItems, minItems + 3) - minItems + 1)
    return Array.from({ length: count }, () => made(items, depth + 1, field))
  }

  function made(shape: Shape, depth = 0, name = ''): unknown {
    const choices = shape.anyOf ?? shape.oneOf
    if (choices) return made(dice.pick(choices), depth, name)
    if (shape.allOf) return made(Object.assign({}, ...shape.allOf) as Shape, depth, name)
    if ('const' in shape) return shape.const
    if (shape.enum) return dice.pick(shape.enum)
    if (shape.type === 'string') return text(shape, name)
    if (shape.type === 'number' || shape.type === 'integer') return number(shape)
    if (shape.type === 'boolean') return dice.chance(0.5)
    if (shape.type === 'null') return null
    if (shape.type === 'array') return list(shape, depth, name)
    if (shape.type !== 'object') return depth > 3 ? null : dice.pick(hostile)
    const fields = Object.entries(shape.properties ?? {})
    const taken = fields.filter(([name]) => shape.required?.includes(name) || dice.chance(0.4))
    return Object.fromEntries(taken.map(([each, field]) => [each, made(field, depth + 1, each)]))
  }

  /** Every place in a value, the value itself included. */
  function placesIn(value: unknown, path: string[] = []): string[][] {
    const inner = typeof value === 'object' && value !== null ? Object.entries(value) : []
    return [path, ...inner.flatMap(([name, each]) => placesIn(each, [...path, name]))]
  }

  function replaced(value: unknown, [first, ...rest]: string[], change: (old: unknown) => unknown): unknown {
    if (first === undefined) return change(value)
    if (Array.isArray(value))
      return value.map((each, at) => (String(at) === first ? replaced(each, rest, change) : each))
    const inner = value as Record<string, unknown>
    return { ...inner, [first]: replaced(inner[first], rest, change) }
  }

  /** One step away from right: beyond a limit, of another kind, missing, one too many. */
  function slip(old: unknown): unknown {
    const kinds: (() => unknown)[] = [
      () => undefined,
      () => null,
      () => [old],
      () => (typeof old === 'string' ? `${old}${dice.pick(['x', ' ', '\n', '\u0000', 'ß', '0'])}` : String(old)),
      () => (typeof old === 'number' ? dice.pick([old + 1, old - 1, -old, old + 0.5, String(old)]) : 1),
      () => (isUid(old) ? uid() : dice.pick(TEXTS)),
      () => (isObject(old) ? { ...old, [dice.pick(['colour', 'constructor', 'uid', 'deletedAt'])]: 'x' } : {}),
      () => (Array.isArray(old) ? [...(old as unknown[]), ...(old as unknown[])] : old),
    ]
    return dice.pick(kinds)()
  }

  const inPlaces = (value: unknown, times: number, change: (old: unknown) => unknown) => {
    let changed = value
    for (let n = 0; n < times; n++) changed = replaced(changed, dice.pick(placesIn(changed)), change)
    return changed
  }

  return {
    uid,
    /** From now on `uid` is that of a row of this table. */
    about: (table: string) => void (ownTable = table),
    valid: (schema: z.ZodType): unknown => made(shapeOf(schema)),
    nearly: (value: unknown): unknown => inPlaces(value, 1, slip),
    hostile: (value: unknown): unknown => inPlaces(value, 1 + dice.below(3), () => dice.pick(hostile)),
  }
}

export type Values = ReturnType<typeof valuesOf>

const isText = (value: unknown): value is string => typeof value === 'string'
const isUid = (value: unknown) => isText(value) && /^[0-9a-f]{8}-/.test(value)
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
