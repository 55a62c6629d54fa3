import {
  API_BASE,
  type Endpoint,
  endpoints,
  issueStatuses,
  type ModuleKey,
  type Role,
  rowAccessFor,
} from '@roadshow/contract'
import { readWorkbook } from '@roadshow/test-kit/workbook'
import type { World } from '@roadshow/test-kit/world'
import { textOfPdf } from '../../src/proof/pop/pdf/test-pdf-text.ts'
import type { SharedTruck } from './test-shared-truck.ts'

export const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** The reads that a role may make with some modules. */
export const readsOf = (role: Role, held: readonly ModuleKey[]) =>
  endpoints.filter(
    ({ method, access }) => method === 'GET' && access !== 'public' && rowAccessFor({ role, modules: held }, access),
  )

export interface Read {
  name: string
  status: number
  /** What the answer says, whichever format it has. */
  text: string
}

type Injected = Awaited<ReturnType<World['app']['inject']>>

/** The text of an answer, of a workbook and of a PDF too, and the name of its file. */
export function textOf({ headers, body, rawPayload }: Injected): string {
  const type = String(headers['content-type'])
  const name = headers['content-disposition'] ?? ''
  if (type.includes('spreadsheetml')) return `${name}\n${JSON.stringify(readWorkbook(rawPayload))}`
  return type.includes('pdf') ? `${name}\n${textOfPdf(rawPayload).join('\n')}` : `${name}\n${body}`
}

/** Reads each call in every way that is worth a try. */
export function readerOf(world: World, shared: SharedTruck) {
  const { acme, zyx, days } = shared
  const parties = [acme, zyx]
  /** What stands for a record in a path: everything of the kind, no matter whose it is. */
  const uidsFor: [start: string, uids: string[]][] = [
    ['gps-address-sets/', parties.map(({ setUid }) => setUid)],
    ['artwork-sets/', parties.map(({ art }) => art.uid)],
    ['clients/', parties.map(({ clientUid }) => clientUid)],
    ['client-programs/', parties.map(({ programUid }) => programUid)],
    ['client-pop/photos/', [...shared.photos.own, ...shared.photos.other]],
    ['client-pop/', parties.map(({ programUid }) => programUid)],
    ['campaigns/', parties.map(({ programUid }) => programUid)],
    ['feeds/', parties.map(({ programUid }) => programUid)],
    ['markets/', [shared.market.uid]],
    ['program-schedule/', [...shared.shifts.own, ...shared.shifts.other]],
    ['overview/truck-issues/', [...shared.issues.own, ...shared.issues.other]],
    ['issues/', [...shared.issues.own, ...shared.issues.other]],
    ['overview/trucks/', [shared.truckUid]],
    ['impressions/shifts/', [...shared.shifts.own, ...shared.shifts.other]],
    ['impressions/', parties.map(({ programUid }) => programUid)],
    ['user/', parties.map(({ driver }) => driver.uid)],
    ['pixel/', [shared.truckUid]],
    ['trucks/', [shared.truckUid]],
  ]

  const paramsOf = ({ path }: Endpoint): Record<string, string>[] => {
    if (!path.includes('{')) return [{}]
    if (path.includes('{programUid}')) return parties.map(({ programUid }) => ({ programUid }))
    const uids = uidsFor.find(([start]) => path.startsWith(start))?.[1] ?? []
    return uids.map((uid) => ({ uid, number: '1', version: '1', format: 'json' }))
  }

  /** Values to ask with, of both clients. */
  const asked: Record<string, string[]> = {
    program: parties.map(({ programUid }) => programUid),
    programUid: parties.map(({ programUid }) => programUid),
    client: parties.map(({ clientUid }) => clientUid),
    market: [shared.market.uid],
    address: parties.map(({ addressUid }) => addressUid),
    truck: [shared.truckUid],
    shift: [...shared.shifts.own, ...shared.shifts.other].slice(1, 4),
    driver: parties.map(({ driver }) => driver.uid),
    day: [days.first, days.second],
    search: ['Zyx', 'Dorothea', 'Acme'],
    as: ['gpx', 'geojson'],
    seller: ['1'],
    impressionsPerPlay: ['1'],
  }
  const wide: Record<string, string> = { from: days.first, to: days.last, pageSize: '200' }

  /** Each query that is worth a try: as wide as can be, narrowed by each filter, and as each kind of file. */
  function queriesOf(endpoint: Endpoint): Record<string, string | string[]>[] {
    const shape = endpoint.query?.shape ?? {}
    const has = (name: string) => name in shape
    const isRequired = (name: string) => has(name) && !shape[name].safeParse(undefined).success
    const base = Object.fromEntries([
      ...Object.entries(wide).filter(([name]) => has(name)),
      ...(has('status') && endpoint.path.includes('issues') ? [['status', [...issueStatuses]]] : []),
    ]) as Record<string, string | string[]>
    const required = Object.keys(asked).filter(isRequired)
    const bases = required.reduce<Record<string, string | string[]>[]>(
      (all, name) => all.flatMap((query) => (asked[name] ?? []).map((value) => ({ ...query, [name]: value }))),
      [base],
    )
    const narrowed = Object.keys(asked)
      .filter((name) => has(name) && !required.includes(name))
      .flatMap((name) => (asked[name] ?? []).map((value) => ({ ...bases[0], [name]: value })))
    const files = has('format') ? bases.flatMap((query) => ['csv', 'xlsx'].map((format) => ({ ...query, format }))) : []
    return [...bases, ...narrowed, ...files]
  }

  return async function read(endpoint: Endpoint, token: string): Promise<Read[]> {
    const reads: Read[] = []
    for (const params of paramsOf(endpoint)) {
      for (const query of queriesOf(endpoint)) {
        const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')
        const answer = await world.app.inject({
          url: `${API_BASE}/${path}`,
          query,
          headers: { authorization: `Bearer ${token}` },
        })
        reads.push({
          name: `${endpoint.path} ${JSON.stringify({ ...params, ...query })}`,
          status: answer.statusCode,
          text: textOf(answer),
        })
      }
    }
    return reads
  }
}
