import { expect, test } from 'vitest'
import { exportFileName, type FileNameParts } from './file-name.ts'

const days = ['2026-07-01', '2026-07-31']

test.each<[FileNameParts, string]>([
  [{ name: 'trucks', days: ['2026-11-16'] }, 'trucks_2026-11-16'],
  [
    { name: 'ad-log', of: ['Acme Summer', 'Houston, TX', 'Driver side'], days },
    'ad-log_acme-summer_houston-tx_driver-side_2026-07-01_2026-07-31',
  ],
  [{ name: 'sd-report', of: ['Café “Größe”', '../../etc'], days }, 'sd-report_cafe-große_etc_2026-07-01_2026-07-31'],
  [{ name: 'schedule', of: ['', '***'], days: ['from-2026-07-01'] }, 'schedule_from-2026-07-01'],
  [{ name: 'users', of: ['x'.repeat(100)], days }, `users_${'x'.repeat(40)}_2026-07-01_2026-07-31`],
])('a file is named by its list, what it is of, and its days: %#', (parts, name) => {
  expect(exportFileName(parts)).toBe(name)
})
