import type { DeletedAdjustment, PayAdjustment } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { selectList, uidAndName } from '../../platform/db/records/fragments.ts'
import { type ListQuery, noOwnRows, records } from '../../platform/db/records/records.ts'
import { type DayRange, type DriverFilter, ofDrivers } from './facts.ts'

const columns = {
  uid: sql`t.uid`,
  driver: uidAndName('d'),
  date: sql`t.local_date`,
  cents: sql`t.cents`,
  note: sql`t.note`,
  shift: sql`case when s.uid is not null then json_build_object('uid', s.uid, 'date', s.local_date,
    'start', to_char(s.start_time, 'HH24:MI'), 'truck', tr.number, 'program', p.name) end`,
  by: sql`coalesce(w.name, '')`,
  createdAt: sql`t.created_at`,
  version: sql`t.version`,
}

const joins = sql`join user_account d on d.uid = t.driver_uid
  left join user_account w on w.uid = t.created_by
  left join shift s on s.uid = t.shift_uid
  left join truck tr on tr.uid = s.truck_uid
  left join client_program p on p.uid = s.program_uid`

export const adjustmentRecords = records<'pay_adjustment', PayAdjustment, ListQuery>({
  table: 'pay_adjustment',
  joins,
  columns,
  sorts: { date: sql`t.local_date` },
  filters: {},
  own: noOwnRows,
})

const ofDays = ({ from, to }: DayRange, filter: DriverFilter) =>
  sql`t.local_date between ${from} and ${to} and ${ofDrivers('t.driver_uid', filter)}`

/** The adjustments of some days. */
export async function loadAdjustments(db: Db, days: DayRange, filter: DriverFilter): Promise<PayAdjustment[]> {
  const { rows } = await sql<PayAdjustment>`
    select ${selectList(columns)} from pay_adjustment t ${joins}
     where t.deleted_at is null and ${ofDays(days, filter)} order by t.local_date, t.uid`.execute(db)
  return rows
}

/** The deleted adjustments of some days, with who deleted each: nothing changes a deleted one. */
export async function loadDeletedAdjustments(
  db: Db,
  days: DayRange,
  filter: DriverFilter,
): Promise<DeletedAdjustment[]> {
  const deleted = { ...columns, deletedAt: sql`t.deleted_at`, deletedBy: sql`coalesce(x.name, '')` }
  const { rows } = await sql<DeletedAdjustment>`
    select ${selectList(deleted)} from pay_adjustment t ${joins} left join user_account x on x.uid = t.changed_by
     where t.deleted_at is not null and ${ofDays(days, filter)} order by t.local_date, t.uid`.execute(db)
  return rows
}
