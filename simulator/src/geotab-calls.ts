import { hashText } from '@roadshow/contract/platform/hash-text'
import { feedNames, type FeedName, type FeedRow } from './feeds.ts'
import type { SimulatedFleet } from './fleet.ts'
import type { PlannedTruck } from './plan.ts'

/** An error that MyGeotab sends instead of a result. */
export class GeotabFailure extends Error {
  readonly type: string
  readonly code: number

  constructor(type: string, message: string, code = -32_000) {
    super(message)
    this.type = type
    this.code = code
  }
}

export type GeotabParams = Record<string, unknown>

// MyGeotab caps pages of feeds at this size, and results of Get silently at fewer.
const MAX_PAGE = 50_000
const MAX_GET = 5_000

const isObject = (value: unknown): value is GeotabParams => typeof value === 'object' && value !== null
const wrong = (message: string) => new GeotabFailure('ArgumentException', message)

/** A text, or an empty one in place of any other value. */
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

const limitOf = ({ resultsLimit }: GeotabParams, most: number): number =>
  typeof resultsLimit === 'number' && resultsLimit > 0 ? Math.min(resultsLimit, most) : most

/** The read calls of MyGeotab. */
export class GeotabCalls {
  readonly #fleet: SimulatedFleet

  constructor(fleet: SimulatedFleet) {
    this.#fleet = fleet
  }

  result(method: string, params: GeotabParams): unknown {
    switch (method) {
      case 'GetFeed':
        return this.#getFeed(params)
      case 'Get':
        return this.#get(params)
      case 'GetCountOf':
        return this.#all(textOrEmpty(params['typeName'])).length
      default:
        throw new GeotabFailure('MissingMethodException', `The method "${method}" could not be found.`)
    }
  }

  #getFeed(params: GeotabParams): { data: unknown[]; toVersion: string } {
    const { typeName, fromVersion, search } = params
    if (!feedNames.includes(textOrEmpty(typeName))) throw wrong(`Feed not found: ${textOrEmpty(typeName)}.`)
    const name = typeName as FeedName
    if (name === 'DeviceStatusInfo' && isObject(search) && Object.keys(search).length > 0)
      throw wrong('The feed of DeviceStatusInfo accepts no search.')
    const { feeds } = this.#fleet
    const rows = this.#rowsFrom(name, fromVersion, isObject(search) ? search : {})
    const page = rows.slice(0, limitOf(params, MAX_PAGE))
    const from = typeof fromVersion === 'string' ? fromVersion : feeds.version
    return { data: recordsOf(page), toVersion: page.at(-1)?.version ?? from }
  }

  #rowsFrom(name: FeedName, fromVersion: unknown, search: GeotabParams): FeedRow[] {
    const { feeds } = this.#fleet
    if (fromVersion !== undefined && !(typeof fromVersion === 'string' && /^[0-9a-f]{16}$/.test(fromVersion)))
      throw wrong('fromVersion must have sixteen hexadecimal digits.')
    const diagnostic = isObject(search['diagnosticSearch']) ? search['diagnosticSearch']['id'] : undefined
    const isWanted = ({ record }: FeedRow) => {
      const named = record['diagnostic']
      return diagnostic === undefined || (isObject(named) && named['id'] === diagnostic)
    }
    if (typeof fromVersion === 'string') return feeds.after(name, fromVersion).filter(isWanted)
    const date = Date.parse(textOrEmpty(search['fromDate']))
    // The feed starts now.
    if (name === 'DeviceStatusInfo' || Number.isNaN(date)) return []
    return feeds.since(name, date).filter(isWanted)
  }

  #get(params: GeotabParams): unknown[] {
    const { sort, search } = params
    const wanted = isObject(search) ? search['id'] : undefined
    const all = this.#all(textOrEmpty(params['typeName'])).filter(({ id }) => wanted === undefined || id === wanted)
    const offset = isObject(sort) && typeof sort['offset'] === 'string' ? sort['offset'] : undefined
    const from = offset === undefined ? all : all.filter(({ id }) => id > offset)
    return from.slice(0, limitOf(params, MAX_GET)).map(({ record }) => record)
  }

  /** All records of an entity, by id. */
  #all(typeName: string): { id: string; record: object }[] {
    const all =
      typeName === 'Device'
        ? this.#fleet.trucks.map(({ planned }) => ({ id: planned.geotabId, record: deviceOf(planned) }))
        : typeName === 'DeviceStatusInfo'
          ? this.#fleet.feeds.statuses.map(({ geotabId, record }) => ({ id: geotabId, record }))
          : undefined
    if (!all) throw wrong(`Unknown entity ${typeName}.`)
    return all.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }
}

const recordsOf = (rows: readonly FeedRow[]) => rows.map(({ record }) => record)

const deviceOf = ({ geotabId, number, vin, plate }: PlannedTruck) => ({
  id: geotabId,
  name: number,
  deviceType: 'GO9',
  serialNumber: `G9${hashText(geotabId).toString(16).toUpperCase().padStart(10, '0')}`,
  vehicleIdentificationNumber: vin,
  licensePlate: plate,
  activeFrom: '2024-01-01T00:00:00.000Z',
  activeTo: '2050-01-01T00:00:00.000Z',
  groups: [{ id: 'GroupVehicleId' }],
})
