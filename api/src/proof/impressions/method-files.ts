import { Readable } from 'node:stream'
import {
  type ImpressionMethod,
  percentText,
  roadClasses,
  roadClassLabel,
  truckSideLabel,
  truckSides,
} from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { Download } from '../../platform/http/download.ts'
import { sheetFile } from '../../platform/spreadsheet/sheet.ts'
import { loadMethod, parseMethod } from './methods.ts'
import { impressionRanges } from './rules.ts'

/** A version of the method as a file: byte for byte as hashed, or its tables as rows. */
export async function methodDownload(db: Db, version: number, format: 'json' | 'csv'): Promise<Download> {
  const stored = await loadMethod(db, version)
  const name = `impressions-method-${version}`
  if (format === 'json') {
    const bytes = Readable.from([Buffer.from(stored.document)])
    return new Download(`${name}.json`, 'application/json; charset=utf-8', bytes, {
      headers: { etag: `"${stored.sha256}"` },
    })
  }
  const rows = [...rowsOf(parseMethod(stored)), ...rowsOfRules(stored.rules)]
  return sheetFile({
    format,
    title: name,
    filename: name,
    table: Readable.from([['Table', 'Row', 'Value', 'Unit', 'Source'], ...rows]),
    summary: () => [`${rows.length} rows`, `method version ${version}`, `SHA-256 ${stored.sha256}`],
  })
}

type Row = [table: string, row: string, value: string | number, unit: string, source: string]

const clockOf = (hour: number) => `${String(hour).padStart(2, '0')}:00`
const yesOrNo = (is: boolean) => (is ? 'yes' : 'no')

/** Every input in a row of its own. */
function rowsOf({ inputs, traffic }: ImpressionMethod): Row[] {
  const { areas, hours, speeds, sides, occupancy, isLit, sources } = inputs
  return [
    ...areas.flatMap(({ name, dailyVehicles }) =>
      roadClasses.map((road): Row => {
        return [`Daily traffic, ${name}`, roadClassLabel[road], dailyVehicles[road], 'vehicles a day', sources.areas]
      }),
    ),
    ...hours.map(({ share }, hour): Row => {
      return ['Hourly share', clockOf(hour), percentText(share), 'of a day’s traffic', sources.hours]
    }),
    ...hours.map(({ isNight }, hour): Row => ['Night', clockOf(hour), yesOrNo(isNight), '', sources.hours]),
    ['Road class', `${roadClassLabel.interstate} from`, speeds.interstateFromMph, 'mph', sources.speeds],
    ['Road class', `${roadClassLabel.principalArterial} from`, speeds.principalArterialFromMph, 'mph', sources.speeds],
    ...truckSides.flatMap((side): Row[] => [
      [truckSideLabel[side], 'Opposite direction', percentText(sides[side].opposite), 'of vehicles', sources.sides],
      [truckSideLabel[side], 'Same direction', percentText(sides[side].same), 'of vehicles', sources.sides],
    ]),
    ['Occupancy', 'People in a vehicle', occupancy, 'people', sources.occupancy],
    ['Lit at night', 'LED trucks', yesOrNo(isLit.led), '', sources.isLit],
    ['Lit at night', 'Printed trucks', yesOrNo(isLit.printed), '', sources.isLit],
    ...traffic.map(({ name, dailyVehicles }, index): Row => {
      return ['Counted road', name || `Line ${index + 1}`, dailyVehicles, 'vehicles a day', 'Loaded traffic counts']
    }),
  ]
}

const RULES = 'docs/impressions.md'
const rangeText = ({ low, high }: { low: number; high: number }) => `${percentText(low)} to ${percentText(high)}`

/** The version of the rules, and the ranges that rules have since version 2. */
function rowsOfRules(rules: number): Row[] {
  const { classVehicles, countedVehicles, hourShare, visibleShare, occupancy } = impressionRanges
  const range = (row: string, value: string): Row => ['Low and high', row, value, 'of the likely value', RULES]
  return [
    ['Rules', 'Version', rules, '', RULES],
    ...(rules < 2
      ? []
      : [
          range('Daily traffic of a road class', rangeText(classVehicles)),
          range('Daily traffic of a counted road', rangeText(countedVehicles)),
          range('Hourly share', rangeText(hourShare)),
          range('Vehicles that look', rangeText(visibleShare)),
          range('People in a vehicle', `1 person to ${percentText(occupancy.high)}`),
        ]),
  ]
}
