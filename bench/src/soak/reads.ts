import {
  clients,
  contract,
  DAY_MS,
  type Endpoint,
  endpoints,
  fleet,
  markets,
  pops,
  programs,
  rowAccessFor,
  trucks,
  type UserPermissions,
  users,
} from '@roadshow/contract'
import type { RetryingCaller } from './caller.ts'
import type { Findings } from './findings.ts'

/** What needs a signature, a token of another call, or a file that may not be there. */
const NEEDS_MORE: readonly Endpoint[] = [
  ...Object.values(contract.files),
  contract.calendar.feed,
  contract.singleSignOn.confirmation,
  contract.pops.picture,
  contract.pops.versionFile,
  contract.shiftUpload.template,
  contract.imports.template,
  contract.imports.records,
  contract.payroll.file,
  contract.payroll.checkFile,
  contract.sdReport.approaches,
  contract.feeds.adPlays,
  ...Object.values(contract.publicPop),
]

/** Every list, report and detail. */
export const readEndpoints = endpoints.filter((each) => each.method === 'GET' && !NEEDS_MORE.includes(each))

/** The list that shows the records of a kind, where its path does not begin like theirs. */
const lists: [prefix: string, list: Endpoint][] = [
  ['user/', users.list],
  ['issues/', fleet.issues],
  ['overview/trucks/', trucks.list],
  ['overview/truck-issues/', fleet.issues],
  ['client-pop/photos/', pops.photos],
  ['programs/', programs.list],
]

function listOf({ path }: Endpoint): Endpoint | undefined {
  const known = lists.find(([prefix]) => path.startsWith(prefix))?.[1]
  const [kind] = path.split('/')
  return known ?? readEndpoints.find((each) => each.path === `${kind}/run` || each.path === `${kind}/`)
}

const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10)

const plainValues = () => ({
  from: day(-6),
  to: day(0),
  date: day(0),
  start: '08:00',
  end: '16:00',
  month: day(0).slice(0, 7),
  search: 'an',
  latitude: 32.8,
  longitude: -96.8,
  zone: 'America/Chicago',
  as: 'gpx',
})
const recordKinds = {
  program: programs.list,
  programUid: programs.list,
  market: markets.list,
  truck: trucks.list,
  client: clients.list,
  user: users.list,
} as const

const isNeeded = ({ query }: Endpoint, name: string) =>
  Boolean(query?.shape[name] && !query.shape[name].safeParse(undefined).success)

/** What a call needs in its query and the reader has no value for. */
export const unknownNeeds = (endpoint: Endpoint): string[] =>
  Object.keys(endpoint.query?.shape ?? {}).filter(
    (name) => isNeeded(endpoint, name) && !(name in plainValues()) && !(name in recordKinds),
  )

type Row = Record<string, unknown> & { uid?: string }
const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(Math.random() * all.length)]

/** A user who reads everything that they may see: lists, single records and reports. */
export class SoakReader {
  readonly #caller: RetryingCaller
  readonly #findings: Findings
  readonly #mine: Endpoint[]
  readonly #seen = new Map<Endpoint, Row[]>()

  constructor(caller: RetryingCaller, holder: UserPermissions, findings: Findings) {
    this.#caller = caller
    this.#findings = findings
    this.#mine = readEndpoints.filter(({ access }) => rowAccessFor(holder, access) !== undefined)
  }

  async read(): Promise<void> {
    const endpoint = pick(this.#mine)
    const input = endpoint && (await this.#inputOf(endpoint))
    if (!input) return
    const reply = await this.#caller.call(endpoint, input)
    const { data } = (reply.body ?? {}) as { data?: unknown }
    if (Array.isArray(data)) this.#seen.set(endpoint, data as Row[])
    // What was in a list may be deleted by now.
    const isFine = reply.status === 200 || (reply.status === 404 && (endpoint.params || endpoint.query))
    if (isFine) this.#findings.reads.add(`${endpoint.method} ${endpoint.path}`)
    else
      this.#findings.fail(`GET ${endpoint.path} ${JSON.stringify(input)}: ${reply.status} ${reply.text.slice(0, 300)}`)
  }

  async #inputOf(endpoint: Endpoint): Promise<object | undefined> {
    const row = endpoint.params && (await this.#rowOf(listOf(endpoint)))
    if (endpoint.params && !row?.uid) return undefined
    const needed = await this.#neededQuery(endpoint)
    if (!needed) return undefined
    return { ...(row && { params: { uid: row.uid, programUid: row.uid } }), ...(endpoint.query && { query: needed }) }
  }

  async #neededQuery(endpoint: Endpoint): Promise<Record<string, unknown> | undefined> {
    const given: Record<string, unknown> = plainValues()
    for (const [name, list] of Object.entries(recordKinds))
      if (isNeeded(endpoint, name)) given[name] = (await this.#rowOf(list))?.uid
    const needed = Object.fromEntries(Object.entries(given).filter(([name]) => isNeeded(endpoint, name)))
    if (endpoint.path === contract.payroll.statement.path)
      needed['driver'] = (await this.#rowOf(contract.shifts.drivers))?.uid
    if (endpoint.path === contract.replays.get.path || endpoint.path === contract.replays.track.path)
      needed['truck'] = (await this.#rowOf(contract.replays.trucks))?.uid
    // One who sees no program has nothing to ask about.
    return Object.values(needed).every(Boolean) ? needed : undefined
  }

  async #rowOf(list: Endpoint | undefined): Promise<Row | undefined> {
    if (!list || !this.#mine.includes(list)) return undefined
    const known = this.#seen.get(list)
    if (known && Math.random() < 0.8) return pick(known)
    const { body } = await this.#caller.call(list, (list.query ? { query: {} } : {}) as never)
    const rows = (body as { data?: Row[] } | undefined)?.data ?? []
    this.#seen.set(list, rows)
    return pick(rows)
  }
}
