import { expect, test } from 'vitest'
import { fixesOf, readingsOf, statusesOf } from './records.ts'

const place = { dateTime: '2026-07-01T08:00:00.000Z', latitude: 32.78, longitude: -96.8 }
const at = Date.parse(place.dateTime)
const fix = { truck: 'b1', at, latitude: 32.78, longitude: -96.8, speedKmh: null }

test('a tracker is named by a reference or by its id alone; keys without a value are left out', () => {
  expect(
    fixesOf([
      { ...place, device: { id: 'b1' } },
      { ...place, device: 'b1', speed: 36 },
    ]),
  ).toEqual([fix, { ...fix, speedKmh: 36 }])
})

test('what is not a record is left out, and stops nothing', () => {
  const rubbish = [null, 'text', 7, [], {}, place, { ...place, device: {} }, { ...place, device: 'b\0' }]
  const broken = [{ dateTime: 'yesterday' }, { latitude: null }, { longitude: '-96.8' }]
  expect(fixesOf([...rubbish, ...broken.map((wrong) => ({ ...place, device: 'b1', ...wrong }))])).toEqual([])
  expect(statusesOf(rubbish)).toEqual([])
  expect(readingsOf(rubbish)).toEqual([])
})

test('a speed or a heading that cannot be is not known', () => {
  const given = [{ speed: -1 }, { speed: 1e300 }, { bearing: -1 }, { bearing: 360, isDriving: 'yes' }]
  expect(statusesOf(given.map((more) => ({ ...place, device: 'b1', ...more })))).toEqual([
    { ...fix, heading: null, isDriving: null },
    { ...fix, heading: null, isDriving: null },
    { ...fix, heading: null, isDriving: null },
    { ...fix, heading: 0, isDriving: null },
  ])
})

test('only the calibrated odometer is read', () => {
  const reading = { device: { id: 'b1' }, dateTime: place.dateTime, data: 1234 }
  const diagnostics = [{ id: 'DiagnosticOdometerId' }, 'DiagnosticOdometerId', { id: 'DiagnosticOdometerAdjustmentId' }]
  expect(readingsOf(diagnostics.map((diagnostic) => ({ ...reading, diagnostic })))).toEqual([
    { truck: 'b1', at, metres: 1234 },
    { truck: 'b1', at, metres: 1234 },
  ])
})
