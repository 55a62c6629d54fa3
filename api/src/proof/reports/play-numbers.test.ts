import { adLog, devices, fleet as fleetCalls, type JumpAnswer, type NumberRun, type Play } from '@roadshow/contract'
import { seeded } from '@roadshow/test-kit/random'
import { describe, expect, test } from 'vitest'
import { counterWatch } from '../../live/fleet/index.ts'
import { storePlays } from '../../live/plays/index.ts'
import { fleetOf, minutesAgo } from '../../live/players/test-fleet.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db, call, people } = world
const fleet = fleetOf(world)

const accountOf = async (uid: string) => (await call(adLog.device, { params: { uid } })).body.data

describe('every number that a player used', () => {
  test('is a play, missing, rejected or unassigned, and they add up', async () => {
    const { art, device, programUid, truckUid, shift } = await fleet.addRunning()
    const otherProgram = await world.addProgram()
    const other = await fleet.addArtwork(otherProgram.uid)
    const at = (minutes: number) => ({ startedAt: minutesAgo(minutes) })
    const future = fleet.aPlay(art, { sequence: 40, ...at(-30) })
    const send = (plays: unknown[]) => storePlays(db, { uid: device.uid, truckUid }, plays)
    const { answer } = await send([
      ...[1, 2, 3].map((sequence) => fleet.aPlay(art, { sequence, ...at(sequence) })),
      { ...fleet.aPlay(art, { sequence: 4, ...at(4) }), side: 'roof' },
      fleet.aPlay(other, { sequence: 5, ...at(5) }),
      fleet.aPlay(art, { sequence: 6, ...at(400) }),
      // Seven and eight are lost.
      fleet.aPlay(art, { sequence: 9, ...at(9) }),
      future,
    ])
    const results = ['accepted', 'accepted', 'accepted', 'rejected', 'accepted', 'accepted', 'accepted', 'later']
    expect('rows' in answer && answer.rows.map(({ result }) => result)).toEqual(results)
    const account = (await call(adLog.device, { params: { uid: device.uid } })).body.data
    expect(account).toMatchObject({ used: 9, stored: 6, missing: 2, rejected: 1, gaps: [{ from: 7, to: 8 }] })
    expect(account.rejections).toEqual([
      expect.objectContaining({ sequence: 4, reason: expect.stringContaining('side') as string }),
    ])
    const of = async (query: object) => (await call(adLog.summary, { query })).body.data.total
    expect(await of({ program: programUid })).toMatchObject({
      plays: 4,
      missing: 2,
      rejected: 1,
      unassigned: 1,
      numbers: 8,
    })
    expect(await of({ shift: shift.uid })).toMatchObject({ plays: 4, missing: 2, rejected: 1, unassigned: null })
    expect(await of({ truck: truckUid })).toMatchObject({
      plays: 4,
      missing: 2,
      rejected: 1,
      unassigned: 2,
      numbers: account.used,
    })
    const behind = async (query: object) => (await call(adLog.unstored, { query })).body
    for (const query of [{ program: programUid }, { shift: shift.uid }, { truck: truckUid }]) {
      const rows = await behind(query)
      expect([rows.total, rows.numbers]).toEqual([2, 3])
      expect(rows.data.map(({ kind, from, to, truck }) => `${kind} ${from}–${to} ${truck.uid}`).toSorted()).toEqual([
        `missing 7–8 ${truckUid}`,
        `rejected 4–4 ${truckUid}`,
      ])
    }
    const gaps = await behind({ program: programUid, kind: 'missing' })
    expect([gaps.total, gaps.numbers, gaps.data[0]?.reason]).toEqual([1, 2, null])
    const rejected = await behind({ program: programUid, kind: 'rejected', sort: 'at' })
    expect([rejected.numbers, rejected.data[0]?.reason]).toEqual([1, account.rejections[0]?.reason])
    expect((await behind({ program: otherProgram.uid })).numbers).toBe(0)
    expect((await behind({ program: programUid, search: 'no such truck' })).numbers).toBe(0)
    const list = (await call(adLog.list, { query: { program: programUid, shift: shift.uid } })).body
    expect(list.total).toBe(4)
    const { zones } = (await call(adLog.summary, { query: { program: programUid, shift: shift.uid } })).body.data
    expect(zones).toEqual([list.data[0]?.zone])
    const unassigned = (await call(adLog.unassigned, { query: { truck: truckUid } })).body
    expect(unassigned.total).toBe(2)
    expect(unassigned.data.map(({ sequence, reason }) => [sequence, reason])).toEqual([
      [5, 'otherProgram'],
      [6, 'noShift'],
    ])
    const file = await call(adLog.unassigned, { query: { truck: truckUid, format: 'csv' } })
    expect(file.text).toContain('The truck was on a shift for another program.')
    // A program whose only plays are unassigned has a report, on their days.
    const found = (await call(adLog.programs, { query: { uid: otherProgram.uid } })).body.data
    expect(found).toEqual([expect.objectContaining({ uid: otherProgram.uid, firstDay: unassigned.data[0]?.day })])
    const client = await world.addUser('client', ['overview'])
    expect((await call(adLog.unassigned, { query: {} }, client)).status).toBe(403)
  })

  test('counts once, and so does its id, whatever the time', async () => {
    const { art, device, truckUid } = await fleet.addRunning()
    const send = async (plays: Play[]) => {
      const { answer } = await storePlays(db, { uid: device.uid, truckUid }, plays)
      return 'rows' in answer ? answer.rows.map(({ result, reason }) => reason ?? result) : []
    }
    const play = fleet.aPlay(art, { sequence: 1 })
    expect(await send([play])).toEqual(['accepted'])
    expect(await send([{ ...play, startedAt: minutesAgo(60 * 24 * 2) }])).toEqual(['duplicate'])
    expect(await send([{ ...play, startedAt: minutesAgo(60 * 24 * 3), sequence: 2 }])).toEqual(['duplicate'])
    expect(await send([fleet.aPlay(art, { sequence: 1 })])).toEqual(['Another play has this sequence number.'])
    // The duplicate ends number 2; the other play under number 1 counts beside it, once.
    expect(await send([fleet.aPlay(art, { sequence: 1, playId: 'again' })])).toEqual([
      expect.stringContaining('number'),
    ])
    expect(await send([fleet.aPlay(art, { sequence: 1, playId: 'again' })])).toEqual([
      expect.stringContaining('number'),
    ])
    expect(await accountOf(device.uid)).toMatchObject({ used: 4, stored: 1, duplicates: 1, rejected: 2, missing: 0 })
  })

  test('ends as stored, duplicate, rejected or missing, whatever was sent under it', async () => {
    const { art, device, truckUid, shift } = await fleet.addRunning()
    const at = (minutes: number) => ({ startedAt: minutesAgo(minutes) })
    const play = (sequence: number, playId: string) => fleet.aPlay(art, { sequence, playId, ...at(1) })
    const odd = (sequence: number, playId: string) => ({ ...play(sequence, playId), side: 'roof' })
    const send = async (plays: unknown[]) => {
      const { answer } = await storePlays(db, { uid: device.uid, truckUid }, plays)
      return 'rows' in answer ? answer.rows.map(({ result }) => result) : []
    }
    expect(await send([play(1, 'a'), odd(2, 'b'), play(3, 'c')])).toEqual(['accepted', 'rejected', 'accepted'])
    // Under used numbers: a rejected row, another play, and a known one far above.
    expect(await send([odd(1, 'd'), play(3, 'e'), play(5000, 'a')])).toEqual(['rejected', 'rejected', 'duplicate'])
    expect(await accountOf(device.uid)).toMatchObject({
      used: 6,
      stored: 2,
      duplicates: 1,
      rejected: 3,
      missing: 0,
      gaps: [],
    })
    // What was rejected is accepted under its number after all, and another play under the number of a duplicate.
    expect(await send([play(2, 'b'), play(5000, 'f')])).toEqual(['accepted', 'accepted'])
    const account = await accountOf(device.uid)
    expect(account).toMatchObject({ used: 5002, stored: 4, duplicates: 0, rejected: 2, missing: 4996 })
    expect(account.rejections.map(({ sequence }) => sequence)).toEqual([3, 1])
    const { total } = (await call(adLog.summary, { query: { shift: shift.uid } })).body.data
    expect(total).toMatchObject({ plays: 4, rejected: 2, duplicates: 0, missing: 4996, numbers: 5002 })
    expect(await send([odd(6000, 'g'), play(6000, 'h')])).toEqual(['rejected', 'accepted'])
    expect(await accountOf(device.uid)).toMatchObject({ used: 6003, stored: 5, rejected: 3, missing: 5995 })
  })

  test('adds up for any rows in any order', async () => {
    const random = seeded(11)
    const { art, device, truckUid } = await fleet.addRunning()
    const rows = Array.from({ length: 400 }, () => {
      const play = fleet.aPlay(art, { sequence: 1 + random(150), playId: `p ${random(200)}`, startedAt: minutesAgo(1) })
      return random(4) === 0 ? { ...play, side: 'roof' } : play
    })
    const batches = [...rows, ...rows.slice(100, 200)]
    while (batches.length > 0) {
      await storePlays(db, { uid: device.uid, truckUid }, batches.splice(0, 1 + random(30)))
      const { used, stored, duplicates, rejected, missing, gaps } = await accountOf(device.uid)
      expect(stored + duplicates + rejected + missing).toBe(used)
      expect(gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0)).toBe(missing)
      const { total } = (await call(adLog.summary, { query: { truck: truckUid } })).body.data
      expect([total.plays + (total.unassigned ?? 0), total.duplicates, total.rejected, total.missing]).toEqual([
        stored,
        duplicates,
        rejected,
        missing,
      ])
    }
  })
})

describe('a jump of the counter', () => {
  /** A player whose counter jumps from 2 to 100,001. */
  async function jump() {
    const running = await fleet.addRunning()
    const { art, device, truckUid } = running
    const play = (sequence: number) => fleet.aPlay(art, { sequence, startedAt: minutesAgo(sequence < 10 ? 5 : 1) })
    const send = (plays: Play[]) => storePlays(db, { uid: device.uid, truckUid }, plays)
    await send([play(1), play(2), play(100_001)])
    const answer = (answer: JumpAnswer, range: NumberRun = { from: 3, to: 100_000 }, token?: string) =>
      call(adLog.answerJump, { params: { uid: device.uid }, body: { ...range, answer } }, token ? { token } : {})
    return { ...running, play, send, answer }
  }

  test('is asked about instead of counted, and counted by what was answered', async () => {
    const { device, truckUid, shift, answer } = await jump()
    const range = { from: 3, to: 100_000 }
    expect(await accountOf(device.uid)).toMatchObject({ used: 3, stored: 3, missing: 0, gaps: [], jumps: [range] })
    const listed = async () => {
      const { data, numbers } = (await call(adLog.unstored, { query: { truck: truckUid } })).body
      return [numbers, ...data.map(({ kind, from, to, deviceUid }) => [kind, from, to, deviceUid])]
    }
    expect(await listed()).toEqual([0, ['jump', 3, 100_000, device.uid]])
    const summary = async () => {
      const { jumps, total, days } = (await call(adLog.summary, { query: { shift: shift.uid } })).body.data
      return [jumps, total.missing, total.numbers, days.length]
    }
    expect(await summary()).toEqual([1, 0, 3, 1])

    expect((await answer('missing', { from: 3, to: 99_999 })).status).toBe(409)
    expect((await answer('missing', { from: 9, to: 4 })).status).toBe(409)
    expect((await answer('missing', range, people.sales.token)).status).toBe(403)
    expect((await answer('missing')).status).toBe(200)
    expect(await accountOf(device.uid)).toMatchObject({ used: 100_001, missing: 99_998, jumps: [], lost: [range] })
    expect(await listed()).toEqual([99_998, ['missing', 3, 100_000, device.uid]])
    expect(await summary()).toEqual([0, 99_998, 100_001, 1])

    // A decision can be changed, and the history of the device has both.
    expect((await answer('set')).status).toBe(200)
    expect(await accountOf(device.uid)).toMatchObject({ used: 3, missing: 0, jumps: [], lost: [], skipped: [range] })
    expect(await listed()).toEqual([0])
    expect(await summary()).toEqual([0, 0, 3, 1])
    const history = (await call(devices.history, { params: { uid: device.uid }, query: {} })).body.data
    const field = 'counterJump'
    expect(history.flatMap(({ fields }) => fields).filter((each) => each.field === field)).toMatchObject([
      { old: { ...range, answer: 'missing' }, new: { ...range, answer: 'set' } },
      { old: { ...range, answer: 'open' }, new: { ...range, answer: 'missing' } },
    ])
  })

  test('may turn out to be none: plays that arrive late end the question, and gaps of any size below it are missing', async () => {
    const { device, play, send } = await jump()
    await send([play(95_000), play(10_000)])
    expect(await accountOf(device.uid)).toMatchObject({ missing: 9997 + 5000, jumps: [{ from: 10_001, to: 94_999 }] })
  })

  test('was set past numbers that come later after all: they are plays like others', async () => {
    const { device, play, send, answer } = await jump()
    await answer('set')
    await send([play(50_000)])
    expect(await accountOf(device.uid)).toMatchObject({ used: 4, stored: 4, missing: 0, jumps: [] })
  })

  test('is an issue of its truck until it is answered, and none of a client', async () => {
    const { truckUid, shift, answer } = await jump()
    const { number } = await db
      .selectFrom('truck')
      .select('number')
      .where('uid', '=', truckUid)
      .executeTakeFirstOrThrow()
    const issues = async (token = people.admin.token) =>
      (await call(fleetCalls.issues, { query: { truck: truckUid } }, { token })).body.data
    const look = () => counterWatch.look({ db, env: {}, now: Date.now() })
    await look()
    await look()
    const [issue, ...more] = await issues()
    expect([issue?.kind, issue?.text, more]).toEqual([
      'counterJump',
      `${number}’s counter jumped from 2 to 100,001.`,
      [],
    ])
    const { client_uid } = await db
      .selectFrom('shift as s')
      .innerJoin('client_program as p', 'p.uid', 's.program_uid')
      .select('p.client_uid')
      .where('s.uid', '=', shift.uid)
      .executeTakeFirstOrThrow()
    const client = await world.addUser('client', ['overview'], client_uid)
    expect(await issues(client.token)).toEqual([])
    await answer('set')
    await look()
    expect(await issues()).toEqual([])
  })
})
