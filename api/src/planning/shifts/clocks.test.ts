import { addDays, shiftRange } from '@roadshow/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

const { db } = await openWorld()

const zones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Phoenix',
  'America/Los_Angeles',
  'America/Anchorage',
]

test('the server reckons hours as the database does, on every day of two years and through both changes of clocks', async () => {
  const asked = zones.flatMap((zone) =>
    Array.from({ length: 730 }, (_, day) => addDays('2026-01-01', day)).flatMap((date) =>
      ['00:30', '01:30', '02:30', '03:30', '20:00'].map((start) => ({ zone, date, start })),
    ),
  )
  const { rows } = await sql<{ at: string | null }>`
    select case when (at at time zone zone) = date + start then at - case
             when ((at - interval '1 hour') at time zone zone) = date + start then interval '1 hour' else interval '0' end
           end as at
      from (select zone, date, start, (date + start) at time zone zone as at
              from json_to_recordset(${JSON.stringify(asked)}::json) as n (zone text, date date, start time)) n`.execute(
    db,
  )
  const ours = asked.map((hours) => shiftRange({ ...hours, end: '12:00' }).startsAt)
  expect(ours).toEqual(rows.map(({ at }) => (at === null ? undefined : Date.parse(at))))
  expect(ours.filter((at) => at === undefined)).toHaveLength(2 * (zones.length - 1))
})
