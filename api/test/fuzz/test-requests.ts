import { hash } from 'node:crypto'
import { API_BASE, DATA_PART, driverAct, driverApp, type Endpoint } from '@roadshow/contract'
import type { InjectOptions } from 'fastify'
import { tableOf } from '../record-tables.ts'
import { endpointName } from '../samples.ts'
import { type Dice, hostile, type Values } from './test-values.ts'

export type Way = 'valid' | 'nearly' | 'hostile'

interface Scene {
  dice: Dice
  values: Values
  samples: Record<string, Record<string, unknown>>
  needed: (endpoint: Endpoint) => Record<string, string>
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'))

// Half of a surrogate pair cannot be written into an address.
const inAddress = (text: string) => encodeURIComponent(Buffer.from(text).toString())

/** Makes requests of the calls of the contract: as they should be, nearly so, and by someone who means harm. */
export function requestsOf({ dice, values, samples, needed }: Scene) {
  const bent = (way: Way, value: unknown) =>
    way === 'valid' ? value : way === 'nearly' ? values.nearly(value) : values.hostile(value)

  type Params = Record<string, unknown>
  const pathOf = ({ path }: Endpoint, params: Params, way: Way): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) =>
      inAddress(asText(way === 'hostile' && dice.chance(0.3) ? dice.pick(hostile) : params[name])).slice(0, 2000),
    )

  function queryOf(endpoint: Endpoint, { uid }: Params, way: Way): string {
    const { query } = endpoint
    if (!query) return dice.chance(0.05) ? '?x=1' : ''
    const made = {
      ...(values.valid(query) as object),
      ...(dice.chance(0.8) && needed(endpoint)),
      ...('cursor' in query.shape && dice.chance(0.5) && { since: undefined, cursor: madeUpCursor(asText(uid)) }),
    }
    // All pages alike are no news.
    const shown = dice.chance(0.5) ? { ...made, page: '1', pageSize: '200' } : made
    const fits = 'page' in query.shape ? shown : made
    const given = bent(way, fits)
    if (typeof given !== 'object' || given === null) return `?${inAddress(asText(given)).slice(0, 2000)}`
    const pairs = Object.entries(given).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [name, each]),
    )
    const some = pairs.filter(([, value]) => value !== undefined).slice(0, 150)
    return `?${some.map(([name, value]) => `${inAddress(asText(name))}=${inAddress(asText(value)).slice(0, 500)}`).join('&')}`
  }

  /** A cursor as anyone could make one for a feed of a program: its check sum is right. */
  function madeUpCursor(program: string): string {
    const micros = Buffer.alloc(8)
    micros.writeBigInt64BE(dice.pick([0n, -1n, 1n << 62n, -(1n << 63n), (1n << 63n) - 1n, 1_790_000_000_000_000n]))
    const ids = ['', 'p1', '\0', 'x'.repeat(65)].map((id) => Buffer.from(id))
    const content = Buffer.concat([
      Buffer.from([dice.pick([1, 2, 3])]),
      Buffer.from(program.replaceAll('-', '').padEnd(32, '0').slice(0, 32), 'hex'),
      micros,
      Buffer.alloc(16, dice.pick([0, 255])),
      dice.pick([...ids, Buffer.from([0xff, 0xfe])]),
    ])
    return Buffer.concat([hash('sha256', content, 'buffer').subarray(0, 4), content]).toString('base64url')
  }

  function bodyOf(endpoint: Endpoint, way: Way): unknown {
    const { body } = endpoint
    if (!body) return dice.chance(0.1) ? dice.pick(hostile) : undefined
    const sample = samples[endpointName(endpoint)]
    const base =
      sample && dice.chance(0.6) ? { ...sample, ...(dice.chance(0.3) && otherUids(sample)) } : values.valid(body)
    const rows = rowsOf(endpoint)
    return bent(way, rows ? { ...(base as object), ...rows } : base)
  }

  /** Lists whose rows the body's schema leaves open, because each is read by itself. */
  function rowsOf({ path }: Endpoint): object | undefined {
    if (path !== driverApp.acts.path) return undefined
    return { acts: Array.from({ length: 1 + dice.below(5) }, () => values.valid(driverAct)) }
  }

  /** The same, about other records. */
  const otherUids = (sample: Record<string, unknown>) =>
    Object.fromEntries(
      Object.keys(sample)
        .filter((name) => /uid$/i.test(name))
        .map((name) => [name, values.uid(name)]),
    )

  const contents = [
    () => Buffer.from('Truck,Driver\nT-1,x\n'),
    () => Buffer.from('PK\u0003\u0004'.padEnd(200, '\u0001'), 'latin1'),
    () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    () => Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff]),
    () => Buffer.alloc(0),
    () => Buffer.from(Array.from({ length: 500 }, () => dice.below(256))),
    () => Buffer.from(`"${'a,'.repeat(5000)}`),
  ]

  function formOf({ files = {} }: Endpoint, body: unknown): FormData {
    const form = new FormData()
    form.append(dice.chance(0.95) ? DATA_PART : '__proto__', asText(body))
    for (const [name, { types }] of Object.entries(files)) {
      const type = dice.chance(0.8) ? dice.pick(types) : 'text/html'
      for (let n = dice.below(3); n > 0; n--)
        form.append(name, new File([dice.pick(contents)()], dice.pick(['a.png', '../x', 'a.csv', '\u0000']), { type }))
    }
    return form
  }

  function headersOf(): Record<string, string> {
    return {
      ...(dice.chance(0.1) && {
        'idempotency-key': dice.pick(['abcdefgh', 'x', 'k'.repeat(201), `key-${dice.below(5)}-long`]),
      }),
      ...(dice.chance(0.05) && {
        range: dice.pick(['bytes=0-1', 'bytes=-0', 'bytes=9-1', 'bytes=0-99999999999', 'x']),
      }),
      ...(dice.chance(0.05) && { 'if-none-match': dice.pick(['*', '"x"', 'W/"x", "y"', '"']) }),
      ...(dice.chance(0.03) && { 'accept-encoding': dice.pick(['br', 'gzip;q=0', '*', 'x'.repeat(500)]) }),
    }
  }

  return (endpoint: Endpoint, way: Way): InjectOptions & { url: string } => {
    values.about(tableOf(endpoint))
    const params = (endpoint.params ? values.valid(endpoint.params) : {}) as Params
    const body = endpoint.method === 'GET' ? undefined : bodyOf(endpoint, way)
    const isForm = body !== undefined && endpoint.files !== undefined && dice.chance(0.6)
    const text = isForm ? undefined : JSON.stringify(body)
    return {
      method: endpoint.method,
      url: `${API_BASE}/${pathOf(endpoint, params, way)}${queryOf(endpoint, params, way)}`.slice(0, 12_000),
      headers: { ...headersOf(), ...(text !== undefined && { 'content-type': 'application/json' }) },
      ...(isForm && { payload: formOf(endpoint, body) }),
      ...(text !== undefined && { payload: text }),
    }
  }
}
