import { DAY_MS } from '@roadshow/contract/platform/durations'
import { describe, expect, test } from 'vitest'
import { fileProgress, formatFileProgress, type HeldFile, neededFiles, planFiles } from './file-plan.ts'
import { HOUR, manifestOf, setOf, shiftOf, START } from './test-manifest.ts'

const at = { latitude: 0, longitude: 0, radiusM: 500, label: '' }
const manifest = manifestOf(
  [
    shiftOf({ uid: 'next', from: 10 * HOUR, to: 12 * HOUR, artwork: setOf('next') }),
    shiftOf({
      uid: 'now',
      addresses: [
        { uid: 'shop', ...at, artwork: setOf('shop') },
        { uid: 'park', ...at, artwork: null },
      ],
    }),
    shiftOf({ uid: 'over', from: -5 * HOUR, to: 0, artwork: setOf('over') }),
    shiftOf({ uid: 'again', from: 20 * HOUR, to: 22 * HOUR }),
  ],
  setOf('house'),
)
const needed = neededFiles(manifest, START)
const names = (files: { sha256: string }[]) => [...new Set(files.map(({ sha256 }) => sha256.split(' ')[0]))]
const held = (name: string, neededAt = START, size = 1000): HeldFile[] =>
  setOf(name, [], size).files.map(({ sha256 }) => ({ sha256, size, neededAt }))
const planned = (given: HeldFile[], quota: number) =>
  planFiles(needed, { held: given, quotaBytes: quota / 0.9, now: START })

test('files are needed once each: the running shift’s first, then the house’s, the addresses’ and the next shifts’', () => {
  expect(names(needed)).toEqual(['own', 'house', 'shop', 'next'])
  expect(needed).toHaveLength(12)
})

describe('a plan', () => {
  test('downloads what is missing in the order of need', () => {
    const { download, sweep, deferred } = planned(held('house'), 1e6)
    expect(names(download)).toEqual(['own', 'shop', 'next'])
    expect({ sweep, deferred }).toEqual({ sweep: [], deferred: [] })
  })

  test('keeps unneeded files for a week', () => {
    const given = [...held('old', START - 7 * DAY_MS), ...held('older', START - 7 * DAY_MS - 1)]
    expect(names(planned(given, 1e6).sweep.map((sha256) => ({ sha256 })))).toEqual(['older'])
  })

  test('sweeps sooner where room is needed, what was needed longest ago first', () => {
    const given = [...held('old', START - 2 * DAY_MS), ...held('recent', START - DAY_MS)]
    const { sweep, download } = planned(given, 15_000)
    expect(download).toHaveLength(12)
    expect(names(sweep.map((sha256) => ({ sha256 })))).toEqual(['old'])
  })

  test('leaves out what is needed last where there is no room for all, and sweeps it for what is needed now', () => {
    const { sweep, download, deferred } = planned(held('next'), 9000)
    expect(names(download)).toEqual(['own', 'house', 'shop'])
    expect(names(deferred)).toEqual(['next'])
    expect(names(sweep.map((sha256) => ({ sha256 })))).toEqual(['next'])
  })

  test('never sweeps what is needed now', () => {
    const { sweep, download } = planned([...held('own', START - 90 * DAY_MS), ...held('shop', 0)], 12_000)
    expect(sweep).toEqual([])
    expect(names(download)).toEqual(['house', 'next'])
  })
})

test('progress counts each file once', () => {
  const progress = fileProgress(needed, new Set([...held('own'), ...held('unneeded')].map(({ sha256 }) => sha256)))
  expect(progress).toEqual({ filesHeld: 3, filesNeeded: 12, bytesHeld: 3000, bytesNeeded: 12_000 })
  expect(formatFileProgress(progress)).toBe('3 of 12 files')
  expect(formatFileProgress({ ...progress, filesHeld: 0, filesNeeded: 1 })).toBe('0 of 1 file')
})
