import { settings, defaultSettings } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { readSettings } from './index.ts'

const { call, db, people } = await openWorld()
const current = async () => (await call(settings.get, {})).body.data

test('what no one changed has its default', async () => {
  expect(await current()).toEqual({ version: 1, values: defaultSettings })
  expect(await readSettings(db)).toEqual(defaultSettings)
})

test('a change is kept, has effect, and its history says who made it, from what to what', async () => {
  const { version, values } = await current()
  const changed = await call(settings.update, { body: { ...values, restGapHours: 8.5, keepWebLogDays: 60, version } })
  expect(changed.body.data.values).toEqual({ ...defaultSettings, restGapHours: 8.5, keepWebLogDays: 60 })
  expect(await readSettings(db)).toMatchObject({ restGapHours: 8.5, overtimeAfterHours: 40 })
  await call(settings.update, {
    body: { ...changed.body.data.values, restGapHours: 9, version: changed.body.data.version },
  })
  const { data, total } = (await call(settings.history, { query: {} })).body
  expect(total).toBe(2)
  expect(data.map(({ by, fields }) => ({ by, fields }))).toEqual([
    { by: 'The admin', fields: [{ field: 'restGapHours', old: 8.5, new: 9 }] },
    {
      by: 'The admin',
      fields: [
        { field: 'restGapHours', old: 10, new: 8.5 },
        { field: 'keepWebLogDays', old: 30, new: 60 },
      ],
    },
  ])
})

test('of two people who change settings at once, the second is told', async () => {
  const { version, values } = await current()
  const answers = await Promise.all(
    [41, 42, 43].map((overtimeAfterHours) =>
      call(settings.update, { body: { ...values, overtimeAfterHours, version } }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
})

test('saving the same again changes nothing', async () => {
  const before = await current()
  expect((await call(settings.update, { body: { ...before.values, version: before.version } })).body.data).toEqual(
    before,
  )
})

test('what makes no sense is refused at its field, and nothing is kept', async () => {
  const { version, values } = await current()
  const refused = async (more: object) =>
    Object.keys((await call(settings.update, { body: { ...values, ...more, version } })).error.fields ?? {})
  expect(await refused({ restGapHours: -1 })).toEqual(['restGapHours'])
  expect(await refused({ noGpsAfterMinutes: 1.5 })).toEqual(['noGpsAfterMinutes'])
  expect(await refused({ halfDayUpToHours: 9 })).toEqual(['eightHoursUpToHours'])
  expect(await refused({ secret: 1 })).toEqual(['secret'])
  expect((await current()).values).toEqual(values)
})

test('a value that an older release left and that is no longer allowed has no effect', async () => {
  await db.insertInto('setting').values({ key: 'forgotten', value: '1' }).execute()
  await db.updateTable('setting').set({ value: '-5' }).where('key', '=', 'restGapHours').execute()
  expect((await readSettings(db)).restGapHours).toBe(10)
})

test('are for admins only', async () => {
  for (const { token } of [people.sales, people.driver, people.client]) {
    expect((await call(settings.get, {}, { token })).status).toBe(403)
    expect((await call(settings.history, { query: {} }, { token })).status).toBe(403)
  }
})
