import { adLog } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runJob } from '../../platform/jobs/runner.ts'
import { DALLAS, fleetOf, northOf } from '../players/test-fleet.ts'
import { FILE_SOURCE, PHONE_SOURCE, PLAYER_SOURCE } from '../telemetry/minute-rules.ts'
import { openFleet } from '../telemetry/test-fleet.ts'
import { storePlays } from './ingest.ts'
import { regradeChangedEvidence } from './regrade-job.ts'

const world = await openWorld()
const { db, app } = world
const { addRunning, aPlay } = fleetOf(world)
const { addSource, hear } = await openFleet(world)
const TRACKER = await addSource('json')

const MINUTE = 60_000
const PLAYS = 12
/** When the first play begins, a full minute. */
const START = Math.floor(Date.now() / MINUTE) * MINUTE - 40 * MINUTE

const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000' }
const errors: unknown[] = []
const gradeNoted = () => {
  const signal = new AbortController().signal
  const job = { db, blobs: app.blobs, env, limitMs: 60_000, log: (error: unknown) => errors.push(error) }
  return runJob(regradeChangedEvidence, job, { signal })
}

/** A place of a truck by one source, some meters north of where the play of that time says that it was. */
interface Placed {
  source: string
  at: number
  north: number
}

async function addTruckWithPlays() {
  const running = await addRunning()
  const { art, device, truckUid } = running
  const plays = Array.from({ length: PLAYS }, (_, n) =>
    aPlay(art, {
      playId: `p${n}`,
      sequence: n + 1,
      startedAt: new Date(START + n * MINUTE + 30_000).toISOString(),
      place: northOf(DALLAS, n * 100),
    }),
  )
  const place = ({ source, at, north }: Placed) => {
    const where = northOf(DALLAS, ((at - START) / MINUTE) * 100 + north)
    const fix = { truck: truckUid, at, ...where, speedKmh: null, accuracyM: null }
    return hear({ source, areUids: true, fixes: [fix] }, Date.now())
  }
  return { ...running, place, send: (from = 0, to = PLAYS) => storePlays(db, device, plays.slice(from, to)) }
}

const gradesOf = async (truckUid: string) =>
  db
    .selectFrom('play')
    .select(['sequence', 'grade', 'reason'])
    .where('truck_uid', '=', truckUid)
    .orderBy('sequence')
    .execute()

describe('plays beside what their own player says of the truck', () => {
  const placed = fc.record({
    source: fc.constantFrom(PLAYER_SOURCE, PLAYER_SOURCE, PHONE_SOURCE, FILE_SOURCE, TRACKER),
    at: fc.integer({ min: -6, max: (PLAYS + 1) * 6 }).map((step) => START + step * 10_000),
    north: fc.constantFrom(0, 0, 300, 1000, 4000),
  })

  test('have the same grades in whichever order plays, places of devices and late trackers arrive', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(placed, { minLength: 4, maxLength: 20 }),
        fc.infiniteStream(fc.nat()),
        async (places, chance) => {
          const next = () => chance.next().value as number
          const inOrder = await addTruckWithPlays()
          for (const each of places.toSorted((one, other) => one.at - other.at)) await inOrder.place(each)
          await inOrder.send()
          const expected = await gradesOf(inOrder.truckUid)

          const shuffled = await addTruckWithPlays()
          const steps = [
            ...places.map((each) => () => shuffled.place(each)),
            ...[0, 4, 8].map((from) => () => shuffled.send(from, from + 4)),
          ]
            .map((run) => ({ run, key: next() }))
            .toSorted((one, other) => one.key - other.key)
          for (const { run } of steps) {
            await run()
            if (next() % 3 === 0) await gradeNoted()
          }
          await gradeNoted()
          expect(await gradesOf(shuffled.truckUid)).toEqual(expected)
          expect(errors).toEqual([])

          const verified = expected.filter(({ grade }) => grade === 'verified')
          for (const { sequence } of verified) {
            const at = START + (sequence - 1) * MINUTE + 30_000
            const isSeenByOthers = places.some(
              (each) => each.source !== PLAYER_SOURCE && Math.abs(each.at - at) <= MINUTE,
            )
            expect(isSeenByOthers).toBe(true)
          }
        },
      ),
      { numRuns: 15 },
    )
  }, 240_000)

  test('become verified when a tracker’s positions come late, and the ad log says what verified them', async () => {
    const { place, send, truckUid, programUid } = await addTruckWithPlays()
    await send()
    for (let n = 0; n < PLAYS; n += 1) await place({ source: PLAYER_SOURCE, at: START + n * MINUTE + 30_000, north: 0 })
    await gradeNoted()
    expect(new Set((await gradesOf(truckUid)).map(({ reason }) => reason))).toEqual(new Set(['noTrack']))
    await place({ source: PHONE_SOURCE, at: START + 2 * MINUTE + 25_000, north: 0 })
    await place({ source: TRACKER, at: START + 9 * MINUTE + 25_000, north: 0 })
    await gradeNoted()
    const query = { program: programUid, pageSize: '50' }
    const verifiersFor = async (token?: string) => {
      const { status, body, text } = await world.call(adLog.list, { query }, token ? { token } : {})
      expect(status, text).toBe(200)
      const rows = body.data.toSorted((one, other) => one.sequence - other.sequence)
      return rows.map(({ grade, verifiedBy }) => (grade === 'verified' ? (verifiedBy ?? 'verified') : grade))
    }
    const seen = await verifiersFor()
    expect([seen[0], seen[2], seen[9], seen[11]]).toEqual(['unverified', 'phone', 'verified', 'unverified'])
    const { client_uid: clientUid } = await db
      .selectFrom('client_program')
      .select('client_uid')
      .where('uid', '=', programUid)
      .executeTakeFirstOrThrow()
    const client = await world.addUser('client', ['pop', 'overview'], clientUid)
    expect((await verifiersFor(client.token))[2]).toBe('verified')
  })
})
