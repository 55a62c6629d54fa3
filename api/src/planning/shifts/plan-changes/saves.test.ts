import { shiftPlanChanges, shifts } from '@roadshow/contract'
import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, test } from 'vitest'
import { openTestPlan } from '../test-plan.ts'

const world = await openWorld()
const { call, people } = world
const { plan, update, addTruck } = await openTestPlan(world)
const undo = (body: { uid?: string; shiftUid?: string }, token = people.admin.token) =>
  call(shiftPlanChanges.undo, { body }, { token })
const get = async (uid: string) => (await call(shifts.get, { params: { uid } })).body.data

describe('a save of the form that is undone', () => {
  test('of a new shift deletes it', async () => {
    const { uid } = await plan({ date: '2026-05-04' })
    expect((await undo({ shiftUid: uid })).body.data.changed).toMatchObject([{ uid }])
    expect((await call(shifts.get, { params: { uid } })).status).toBe(404)
  })

  test('of a change brings back every field, and the history shows both', async () => {
    const shift = await plan({ date: '2026-05-05', note: 'Bring the flags.' })
    await update(shift, { truckUid: await addTruck(), start: '10:30', note: '' })
    expect((await undo({ shiftUid: shift.uid })).status).toBe(200)
    const { version, updatedAt } = await get(shift.uid)
    expect(await get(shift.uid)).toEqual({ ...shift, version, updatedAt })
    const { data } = (await call(shifts.history, { params: { uid: shift.uid }, query: {} })).body
    expect(data.map(({ action }) => action)).toEqual(['changed', 'changed', 'created'])
  })

  test('of a deletion brings the shift back, unless its place was taken', async () => {
    const shift = await plan({ date: '2026-05-06' })
    await call(shifts.remove, { params: { uid: shift.uid } })
    expect((await undo({ shiftUid: shift.uid })).status).toBe(200)
    expect(await get(shift.uid)).toMatchObject({ date: '2026-05-06', truck: shift.truck, status: 'planned' })
    await call(shifts.remove, { params: { uid: shift.uid } })
    const taker = await plan({ date: '2026-05-06', truckUid: shift.truck.uid })
    const refused = await undo({ shiftUid: shift.uid })
    expect([refused.status, refused.error.error]).toEqual([409, expect.stringContaining(taker.truck.name)])
  })

  test('is the newest of the caller, and once', async () => {
    const shift = await plan({ date: '2026-05-07' })
    expect((await undo({ shiftUid: shift.uid }, people.sales.token)).status).toBe(404)
    await update(shift, { note: 'Saved by sales' }, people.sales.token)
    expect((await undo({ shiftUid: shift.uid })).error.error).toMatch(/changed since/)
    expect((await undo({ shiftUid: shift.uid }, people.sales.token)).status).toBe(200)
    expect((await undo({ shiftUid: shift.uid }, people.sales.token)).error.error).toBe('This was undone already.')
    expect((await get(shift.uid)).note).toBe(shift.note)
  })

  test('is refused without a change or a shift, and with both', async () => {
    const { uid } = await plan({ date: '2026-05-08' })
    for (const body of [{}, { uid, shiftUid: uid }])
      expect((await undo(body)).error.fields).toEqual({ uid: 'Name a change or a shift.' })
  })
})
