import { settings } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'
import { sweepReports } from './sweep.ts'

const { call, db } = await openWorld()
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

test('the web log is swept after as many days as the setting says', async () => {
  const ages = [1, 6, 8, 29, 31]
  for (const days of ages) {
    await db
      .insertInto('web_log')
      .values({ error_origin: String(days), at: hoursAgo(days * 24) })
      .execute()
  }
  const kept = async () => {
    await sweepReports(db)
    return (await db.selectFrom('web_log').select('error_origin').execute()).map((row) => Number(row.error_origin))
  }
  expect(await kept()).toEqual([1, 6, 8, 29])
  const { version, values } = (await call(settings.get, {})).body.data
  await call(settings.update, { body: { ...values, keepWebLogDays: 7, version } })
  expect(await kept()).toEqual([1, 6])
})
