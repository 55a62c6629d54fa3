import { formatRadius } from '@roadshow/contract/platform/distance'
import { payCalendarLabel } from '@roadshow/contract/catalog/pay-calendars'
import type { PayCalendarKind } from '@roadshow/contract/catalog/pay-calendars'
import { settingTable } from '@roadshow/contract/catalog/settings'
import type { SettingKey } from '@roadshow/contract/catalog/settings'
import { formatDay } from '@roadshow/contract/platform/dates'
import { roleLabel } from '@roadshow/contract/platform/permissions'
import type { Role } from '@roadshow/contract/platform/permissions'

const rolesText = (roles: readonly Role[]) => roles.map((role) => roleLabel[role]).join(', ') || 'no role'

/** A setting of the kind `day` without one. */
export const noDay = (key: SettingKey): string => (key === 'holdPlaysFrom' ? 'no hold' : 'no day')

/** The value of a setting with its unit: `10 hours`, `0.62 mi`, `Admin, Sales`, `Nov 16, 2026`. */
export const settingText = (key: SettingKey, value: unknown): string => {
  const { unit } = settingTable[key]
  if (unit === 'roles') return rolesText(value as Role[])
  if (unit === 'day') return typeof value === 'string' ? formatDay(value) : noDay(key)
  if (unit === 'payCalendar') return payCalendarLabel[value as PayCalendarKind].toLowerCase()
  // The history names the set.
  if (unit === 'artwork') return typeof value === 'string' ? value : 'no artwork'
  if (unit === 'name' || unit === 'color' || unit === 'zone') return typeof value === 'string' ? value : 'none'
  // The history names the file.
  if (unit === 'logo') return typeof value === 'string' ? value : 'no logo'
  if (unit === 'switch') return value === true ? 'on' : 'off'
  return unit === 'miles' ? formatRadius(Number(value)) : `${Number(value)} ${unit}`
}
