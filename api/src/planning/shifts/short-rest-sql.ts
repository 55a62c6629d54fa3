import { settingTable } from '@roadshow/contract'

/** SQL condition: the shift with this alias blocks its truck and its driver. */
export const blocksTruckSql = (alias: string) =>
  `${alias}.deleted_at is null and ${alias}.status not in ('cancelled', 'noShow')`

/** SQL of the driver's last shift (`b`) before an instant; `isOther` excludes the shift in question. */
export const lastShiftBefore = (driver: string, startsAt: string, isOther: string) =>
  `select b.starts_at, b.ends_at from shift b
    where b.driver_uid = ${driver} and b.starts_at < ${startsAt} and ${isOther} and ${blocksTruckSql('b')}
    order by b.starts_at desc limit 1`

const GAP_HOURS = `(select setting_number('restGapHours', ${settingTable.restGapHours.standard}))`

/** SQL of the hours between the end of the last shift and an instant, if they are fewer than the settings ask for. */
export const shortRest = (startsAt: string, last: string) =>
  `(select round(extract(epoch from ${startsAt} - last.ends_at) / 3600, 2)::float8 from (${last}) last
     where extract(epoch from ${startsAt} - last.ends_at) < 3600 * ${GAP_HOURS})`
