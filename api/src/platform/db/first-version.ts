import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { migrationNames, MIGRATIONS } from './migration-files.ts'

/** The migrations of version 0.1.0. The eight files up to `BRIDGED_TO` replace them. */
const NAMES = [
  '0001_foundation',
  '0002_sign_in',
  '0003_trucks',
  '0004_clients',
  '0005_markets',
  '0006_pixel_maps_and_devices',
  '0007_artwork',
  '0008_addresses',
  '0009_users',
  '0010_shifts',
  '0011_fleet',
  '0012_pop',
  '0013_reports',
  '0014_payroll',
  '0015_issues_of_shifts',
  '0016_audit_log',
  '0017_pictures_of_deleted_photos',
  '0018_due_approaches',
  '0019_looks',
  '0020_tell_only_changes',
]

/** The migration whose schema the bridge leads to. */
const BRIDGED_TO = '0008_console'

/** Whether a schema was made by version 0.1.0, or by a version that was developed before it. */
export const isOfFirstLine = (schema: readonly string[]): boolean => schema.includes(NAMES[0] ?? '')

/** Whether a schema is the one of version 0.1.0: all of its migrations have run, and no other. */
export const isOfFirstVersion = (schema: readonly string[]): boolean =>
  schema.length === NAMES.length && NAMES.every((name) => schema.includes(name))

/** The migrations that replace those of version 0.1.0. */
export const bridgedNames = async (): Promise<string[]> => (await migrationNames()).filter((name) => name <= BRIDGED_TO)

/** The statements that lead from the schema of version 0.1.0 to that of `BRIDGED_TO`. */
export const readBridge = (folder = MIGRATIONS): Promise<string> =>
  readFile(path.join(folder, 'bridges/first-version.sql'), 'utf8')

interface Rows {
  name: string
  columns: string[]
}

/** Where rows of a backup of version 0.1.0 go today; undefined for those that the bridge writes itself. */
export function bridgedRows(table: Rows): Rows | undefined {
  if (table.name === 'kysely_migration') return undefined
  if (table.name !== 'look') return table
  return { name: 'job_watermark', columns: table.columns.map((column) => (column === 'until' ? 'done_until' : column)) }
}
