import { adLog, type Play } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { storePlays } from '../../live/plays/index.ts'
import { fleetOf, minutesAgo } from '../../live/players/test-fleet.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()
const { db, call } = world
const fleet = fleetOf(world)

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
    expect((await call(adLog.device, { params: { uid: device.uid } })).body.data).toMatchObject({
      used: 2,
      stored: 1,
      rejected: 1,
      missing: 0,
    })
  })
})
