import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { API_BASE, DATA_PART, pops, type ReplyOf } from '@roadshow/contract'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import type { Db } from '../../platform/db/connection.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { addTrackedShifts, cameraPhoto, DALLAS_CENTER, openShoot, photoFile, shootTime } from './test-photos.ts'

const world = await openWorld()
const { app, db, folder } = world
const shoot = await openShoot(world)
const { program, driver, add } = shoot
const { shift } = await addTrackedShifts(shoot)

afterEach(() => void vi.restoreAllMocks())

const ofProgram = { programUid: program.uid }
const blobs = async () => (await readdir(folder)).filter((name) => name.startsWith('pop-')).length
const results = (reply: Awaited<ReturnType<typeof add>>) => reply.body.data

type Run = Db['executeQuery']

/** Lets the next insert of a photo run as a test says. */
function onNextInsert(insert: (run: () => ReturnType<Run>) => Promise<never>): void {
  const execute: Run = db.executeQuery.bind(db)
  let isDone = false
  vi.spyOn(db, 'executeQuery').mockImplementation(<R>(query: Parameters<Run>[0]) => {
    if (isDone || !/insert into "pop_photo"/.test((query as { sql?: string }).sql ?? '')) return execute<R>(query)
    isDone = true
    return insert(() => execute(query))
  })
}

test('a photo keeps its pictures when the connection breaks after it was stored', async () => {
  const file = photoFile(await cameraPhoto())
  onNextInsert(async (run) => {
    await run()
    throw new Error('Connection terminated unexpectedly')
  })
  expect((await add([file], ofProgram)).status).toBe(503)
  const [again] = results(await add([file], ofProgram))
  expect(again).toMatchObject({ outcome: 'already' })
  for (const url of Object.values(again?.photo?.urls ?? { none: '' })) {
    expect((await app.inject({ url })).statusCode).toBe(200)
  }
})

test.each(['0000-01-01T12:00:00Z', '9999-12-31T23:59:59Z'])(
  'a photo whose camera says %s is stored without a time',
  async (said) => {
    const reply = await add([photoFile(await cameraPhoto({ gpsTime: Date.parse(said) }))], ofProgram)
    expect([reply.status, results(reply)[0]?.photo?.takenAt]).toEqual([200, null])
  },
)

test('a photo keeps its pictures when it is stored only after the connection broke', async () => {
  const file = photoFile(await cameraPhoto())
  let store: (() => Promise<unknown>) | undefined
  onNextInsert(async (run) => {
    store = run
    throw new Error('Connection terminated unexpectedly')
  })
  expect((await add([file], ofProgram)).status).toBe(503)
  await store?.()
  const [again] = results(await add([file], ofProgram))
  expect(again).toMatchObject({ outcome: 'already' })
  expect((await app.inject({ url: again?.photo?.urls.large ?? '' })).statusCode).toBe(200)
})

test('a photo that is not stored leaves no pictures', async () => {
  const file = photoFile(await cameraPhoto())
  const before = await blobs()
  onNextInsert(async () => {
    await sql`select 1 / 0`.execute(db)
    throw new Error('The statement is refused.')
  })
  expect((await add([file], ofProgram)).status).toBe(500)
  const write = app.blobs.write.bind(app.blobs)
  const failing = vi.spyOn(app.blobs, 'write').mockImplementation(async (blob, content, type) => {
    if (blob.endsWith('small')) throw new Error('The disk is full.')
    await write(blob, content, type)
  })
  expect((await add([file], ofProgram)).status).toBe(500)
  expect(await blobs()).toBe(before)
  failing.mockRestore()
  expect(results(await add([file], ofProgram))).toMatchObject([{ outcome: 'added' }])
  expect(await blobs()).toBe(before + 3)
})

test('the time of a phone stays as it is however long the upload takes', async () => {
  const minutes = 3 * 60_000
  const takenAt = new Date(shootTime('12:00:05')).toISOString()
  const sentAt = new Date(Date.now() - minutes).toISOString()
  const form = new FormData()
  const phone = { takenAt, sentAt, ...DALLAS_CENTER, accuracyM: 8 }
  form.append(DATA_PART, JSON.stringify({ shiftUid: shift.uid, phone }))
  form.append('photos', photoFile(await cameraPhoto()))
  const encoded = new Response(form)
  const type = encoded.headers.get('content-type') ?? ''
  const content = Buffer.from(await encoded.arrayBuffer())

  const now = performance.now.bind(performance)
  let passed = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passed)
  async function* sendSlowly() {
    passed = minutes
    yield content
  }
  const reply = await app.inject({
    method: 'POST',
    url: `${API_BASE}/${pops.addPhotos.path}`,
    headers: {
      authorization: `Bearer ${driver.token}`,
      'content-type': type,
      'content-length': String(content.length),
    },
    payload: Readable.from(sendSlowly()),
  })
  const [result] = reply.json<ReplyOf<typeof pops.addPhotos>>().data
  expect(result, reply.body).toMatchObject({ outcome: 'added', photo: { timeSource: 'phone', grade: 'verified' } })
  expect(Date.parse(result?.photo?.takenAt ?? '')).toBe(Date.parse(takenAt))
})
