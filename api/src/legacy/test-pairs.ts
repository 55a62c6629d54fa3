import {
  dailySchedule,
  type Endpoint,
  fleet,
  type InputOf,
  type ModuleKey,
  oldOverview,
  oldPops,
  oldPrograms,
  pops,
  programs,
  sdReport,
  shifts,
  shiftUpload,
  userSchedule,
} from '@roadshow/contract'
import { expect } from 'vitest'
import { endpointName } from './test-samples.ts'
import { SHOOT_DAY, openShoot } from '../proof/photos/test-photos.ts'
import type { World } from '@roadshow/test-kit/world'

/** An old call, the new one that does the same, and the module that opens each of them. */
export interface Pair {
  old: Endpoint
  now: Endpoint
  by: readonly [old: ModuleKey, now: ModuleKey]
}

const overview = ['overview', 'overview'] as const
const daily = ['dailySchedule', 'schedule'] as const
const byClient = ['programByClient', 'clients'] as const
const pop = ['pop', 'pop'] as const

export const pairs: readonly Pair[] = [
  { old: oldOverview.shifts, now: fleet.shifts, by: overview },
  { old: oldOverview.photos, now: pops.newest, by: overview },
  { old: dailySchedule.list, now: shifts.list, by: daily },
  { old: dailySchedule.details, now: shifts.details, by: daily },
  { old: dailySchedule.create, now: shifts.create, by: daily },
  { old: dailySchedule.update, now: shifts.update, by: daily },
  { old: dailySchedule.remove, now: shifts.remove, by: daily },
  { old: dailySchedule.dependents, now: shifts.dependents, by: daily },
  { old: dailySchedule.restore, now: shifts.restore, by: daily },
  { old: dailySchedule.upload, now: shiftUpload.upload, by: daily },
  { old: userSchedule.list, now: shifts.byDriver, by: ['userSchedule', 'schedule'] },
  { old: oldPrograms.list, now: programs.list, by: byClient },
  { old: oldPrograms.create, now: programs.create, by: byClient },
  { old: oldPrograms.update, now: programs.update, by: byClient },
  { old: oldPrograms.remove, now: programs.remove, by: byClient },
  { old: oldPrograms.dependents, now: programs.dependents, by: byClient },
  { old: oldPrograms.restore, now: programs.restore, by: byClient },
  { old: oldPrograms.sdReport, now: sdReport.list, by: byClient },
  { old: oldPops.list, now: pops.list, by: pop },
  { old: oldPops.addPhotos, now: pops.addPhotos, by: pop },
  { old: oldPops.update, now: pops.update, by: pop },
  { old: oldPops.saveMarkets, now: pops.saveMarkets, by: pop },
  { old: oldPops.publish, now: pops.publish, by: pop },
  { old: oldPops.milesDriven, now: pops.milesDriven, by: pop },
]

const pairOf = (name: string): Pair => {
  const pair = pairs.find(({ old }) => endpointName(old) === name)
  if (!pair) throw new Error(`There is no old call ${name}.`)
  return pair
}
/** An old call by its name, and the new one that does the same. */
export const oldCall = (name: string): Endpoint => pairOf(name).old
export const newCall = (name: string): Endpoint => pairOf(name).now

export type Row = Record<string, unknown> & { uid: string; version: number }

export interface Given {
  params?: Record<string, string>
  query?: object
  body?: object
  files?: Record<string, Blob[]>
}

const REFERENCES = ['truck', 'driver', 'program', 'client', 'market', 'artworkSet', 'addressSet', 'takenBy']

type Named = { uid: string; name: string } | null

/** A record of a new call as an old one shows it: names beside uids. */
export function flattened(row: object): object {
  const flat: Record<string, unknown> = {}
  for (const [field, value] of Object.entries<unknown>({ ...row })) {
    // Old rows are flat: they have no place for a list within a row, and leave it as it is.
    if (field === 'stops') continue
    if (!REFERENCES.includes(field)) flat[field] = value
    else {
      const named = value as Named
      flat[`${field}Uid`] = named?.uid ?? null
      flat[field === 'truck' ? 'truckNumber' : `${field}Name`] = named?.name ?? null
    }
  }
  return flat
}

/** A kind of record that both sides add, change and delete. */
export interface Kind {
  /** The body of a record that nothing is in the way of. */
  fresh: () => Promise<Record<string, unknown>>
  old: Record<'list' | 'create' | 'update' | 'remove', Endpoint>
  now: Record<'get' | 'create' | 'update' | 'remove' | 'history', Endpoint>
  /** What the old list needs to be asked for. */
  found: object
}

/** Two clients' programs with shifts and photos of two drivers, and calls of either kind. */
export async function openPairs(world: World) {
  const shoot = await openShoot(world)
  const { program, dallas, addTruck } = shoot
  let count = 0

  const send = (endpoint: Endpoint, given: Given, token = world.people.admin.token, headers = {}) =>
    world.call(endpoint, given as unknown as InputOf<Endpoint>, { token, headers })

  /** What a call that works answers. */
  async function sent<T = Row>(endpoint: Endpoint, given: Given, token?: string): Promise<T> {
    const { status, body, text } = await send(endpoint, given, token)
    expect(status, text).toBe(200)
    return (body as { data: T }).data
  }

  const shiftBody = async () => ({
    truckUid: await addTruck(),
    driverUid: (await world.addUser('driver')).uid,
    programUid: program.uid,
    marketUid: dallas.uid,
    date: SHOOT_DAY,
    start: '08:00',
    end: '16:00',
    artworkSetUid: null,
    addressSetUid: null,
    payOption: null,
    note: 'As it was',
  })
  const programBody = async () => ({
    clientUid: (await world.addClient()).uid,
    name: `Classic ${++count}`,
    popUrl: `classic-${count}`,
    status: 'active',
    startsOn: '2026-01-01',
    endsOn: '2026-12-31',
    note: 'As it was',
    markets: [{ marketUid: dallas.uid, startsOn: null, endsOn: null }],
  })

  const kinds: Record<'shift' | 'program', Kind> = {
    shift: { fresh: shiftBody, old: dailySchedule, now: shifts, found: { date: SHOOT_DAY } },
    program: { fresh: programBody, old: oldPrograms, now: programs, found: {} },
  }

  /** A record as the old list shows it. */
  async function inOld({ old, found }: Kind, uid: string, token?: string): Promise<Row | undefined> {
    const rows = await sent<Row[]>(old.list, { query: { ...found, pageSize: '200' } }, token)
    return rows.find((row) => row.uid === uid)
  }

  return { ...shoot, send, sent, kinds, inOld, shiftBody, programBody }
}
