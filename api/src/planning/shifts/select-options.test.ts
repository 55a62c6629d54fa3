import { shifts } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { openTestPlan } from './test-plan.ts'

const world = await openWorld()
const { call, addUser } = world
const { program, market, elsewhere } = await openTestPlan(world)

test('a planner without the Clients module finds programs with their markets; a driver does not', async () => {
  const planner = await addUser('sales', ['schedule'])
  const { data } = (await call(shifts.programs, { query: { search: 'Summ' } }, { token: planner.token })).body
  const markets = [market, elsewhere].map((uid) => ({ uid, name: expect.any(String) }))
  expect(data).toEqual([{ uid: program, name: 'Summer', client: expect.any(String), status: 'active', markets }])
  const driver = await addUser('driver')
  expect((await call(shifts.programs, { query: {} }, { token: driver.token })).status).toBe(403)
  const other = await addUser('sales', ['trucks'])
  expect((await call(shifts.programs, { query: {} }, { token: other.token })).status).toBe(403)
})
