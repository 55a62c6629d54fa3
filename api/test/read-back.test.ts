import { API_BASE, contract, type Endpoint } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { endpointName, sampleBodies } from './samples.ts'

const world = await openWorld()
const { app, people } = world
const samples = await sampleBodies(world)
const authorization = `Bearer ${people.admin.token}`

const endpoints = Object.values(contract).flatMap((domain): Endpoint[] => Object.values(domain))

/** How each record is read, by the path that saves it. A call that only moves a record is not the way to save it. */
const readers: Record<string, string> = {
  'trucks/': 'trucks/run',
  'markets/': 'markets/run',
  'pixel/': 'pixel/',
  'clients/': 'clients/run',
  'client-programs/': 'client-programs/run',
  'artwork-sets/': 'artwork-sets/run',
  'gps-address-sets/': 'gps-address-sets/run',
  'program-schedule/': 'program-schedule/run',
  'out-of-service/': 'out-of-service/run',
  'client-pop/': 'client-pop/run',
  'client-pop/pop-market': 'client-pop/{uid}',
  'client-pop/photos/': 'client-pop/photos/run',
  'user/': 'user/info/run',
  'daily-schedule/': 'daily-schedule/run',
  'programs/': 'programs/run',
  'pop/': 'pop/run',
  'pop/pop-market': 'pop/run',
  'issues/resolved-status': 'overview/truck-issues',
  'webhooks/': 'webhooks/run',
  'inspection-items/': 'inspection-items/run',
  'incidents/': 'incidents/run',
}
const moves = [
  'program-schedule/status',
  'program-schedule/times',
  'payroll/periods/state',
  'issues/assignee',
  'issues/snooze',
  // A password is never read.
  'client-pop/password',
]

interface SavedRecord {
  uid?: string
  userUid?: string
  version: number
}

const isOfRecord = ({ method, body }: Endpoint) => {
  const shape = (body as { shape?: object } | undefined)?.shape ?? {}
  return method === 'PUT' && 'version' in shape && ('uid' in shape || 'userUid' in shape)
}
const saves = endpoints.filter(isOfRecord)

async function read(path: string, uid: string): Promise<SavedRecord> {
  const query =
    path === 'daily-schedule/run' ? '?date=2026-02-01&pageSize=200' : path.includes('{') ? '' : '?pageSize=200'
  const url = `${API_BASE}/${path.replace('{uid}', uid)}${query}`
  const { statusCode, json } = await app.inject({ url, headers: { authorization } })
  expect([path, statusCode]).toEqual([path, 200])
  const { data } = json<{ data: SavedRecord | SavedRecord[] }>()
  const found = [data].flat().find((each) => (each.uid ?? each.userUid) === uid)
  if (!found) throw new Error(`${path} does not list ${uid}.`)
  return found
}

/** A record without what every save changes. */
const unstamped = ({
  version: _version,
  updatedAt: _updatedAt,
  changedBy: _changedBy,
  ...rest
}: SavedRecord & { updatedAt?: string; changedBy?: unknown }) => rest

test('every record that can be saved can be read', () => {
  expect(saves.map(({ path }) => path).toSorted()).toEqual([...Object.keys(readers), ...moves].toSorted())
})

test.each(saves.filter(({ path }) => !moves.includes(path)))(
  'what $path read is saved as it was read',
  async (save) => {
    const body = samples[endpointName(save)] as { uid?: string; userUid?: string }
    const uid = body.uid ?? body.userUid ?? ''
    const reader = readers[save.path] ?? ''
    const before = await read(reader, uid)
    const saved = await app.inject({
      method: 'PUT',
      url: `${API_BASE}/${save.path}`,
      headers: { authorization },
      payload: before,
    })
    expect([saved.statusCode, saved.json<{ error?: string; fields?: object }>().fields]).toEqual([200, undefined])
    expect(unstamped(await read(reader, uid))).toEqual(unstamped(before))
  },
)

test('a field that no record has is still refused', async () => {
  const save = saves.find(({ path }) => path === 'trucks/')
  const uid = String(samples['PUT trucks/']?.['uid'])
  const payload = { ...(await read('trucks/run', uid)), wheels: 6 }
  const refused = await app.inject({
    method: 'PUT',
    url: `${API_BASE}/${save?.path}`,
    headers: { authorization },
    payload,
  })
  expect([refused.statusCode, Object.keys(refused.json<{ fields: object }>().fields)]).toEqual([400, ['wheels']])
})
