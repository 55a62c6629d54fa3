import { settingTable } from '@roadshow/contract/catalog/settings'
import type { SettingKey } from '@roadshow/contract/catalog/settings'
import { formatDistance } from '@roadshow/contract/platform/geo'

/** The value of a setting with its unit: `10 hours`, `0.62 mi`. */
export const settingText = (key: SettingKey, value: number): string => {
  const { unit } = settingTable[key]
  return unit === 'miles' ? formatDistance(value) : `${value} ${unit}`
}
