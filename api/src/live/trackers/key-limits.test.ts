import { API_BASE, type ErrorBody } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { expect, test, vi } from 'vitest'
import { openTrackers, postJson } from './test-trackers.ts'

// A source may send 40 times as many positions a minute as an account may make calls.
const world = await openWorld({ callsPerMinute: 100, logLevel: 'info' })
const lines = vi.spyOn(world.app.log, 'info').mockReturnValue()
const { addSource, addTruck, positionsOf, sourceOf } = openTrackers(world)
const node = await world.openNode(() => [])
const NOON = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 12 * 3_600_000

const rows = (tracker: string, from: number) =>
  Array.from({ length: 1000 }, (_, n) => ({ tracker, at: NOON + (from + n) * 1000, latitude: 32, longitude: -96 }))
const send = (key: string, positions: object[]) =>
  postJson(`${node}${API_BASE}/telemetry/positions`, { positions }, { authorization: `Bearer ${key}` })

test('a flood from one key is limited and says so, and other sources go on', async () => {
  const [loud, calm] = [await addSource('json'), await addSource('json')]
  const trucks = [await addTruck('a', loud.uid), await addTruck('a', calm.uid)]
  const answers = []
  for (let n = 0; n < 6; n++) answers.push(await send(loud.key, rows('a', n * 1000)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429, 429])
  const refused = answers[5] as Response
  const text = 'This source sends more positions than a minute allows. Please send the rest later.'
  expect(((await refused.json()) as ErrorBody).error).toBe(text)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await sourceOf(loud.uid)).toMatchObject({ lastError: text })
  expect((await send(calm.key, rows('a', 0))).status).toBe(200)
  expect((await sourceOf(calm.uid))?.lastError).toBeNull()
  expect((await positionsOf(trucks[0] ?? '')).length).toBe(4000)
  expect((await positionsOf(trucks[1] ?? '')).length).toBe(1000)
})

test('the log says which source called and from where, and never its key', async () => {
  const source = await addSource('osmand')
  await addTruck('b', source.uid)
  await fetch(`${node}/track/${source.key}?id=b&lat=32&lon=-96&timestamp=${NOON}`)
  await fetch(`${node}/track?id=b&lat=32&lon=-96&timestamp=${NOON}&key=${source.key}`)
  const told = JSON.stringify(lines.mock.calls)
  expect(told).toContain(`"sender":"tracker source ${source.uid}"`)
  expect(told).toContain('"url":"/track/…?')
  expect(told).not.toContain(source.key.slice(source.keyStart.length))
})

test('keys cannot be guessed: wrong ones are limited by network', async () => {
  const guess = (n: number) => send(`rt_${n}`, [])
  const statuses = new Set<number>()
  for (let n = 0; n < 10; n++) statuses.add((await guess(n)).status)
  expect([...statuses]).toEqual([401, 429])
})
