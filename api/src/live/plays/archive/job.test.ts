import { openWorld } from '@roadshow/test-kit/world'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runJob } from '../../../platform/jobs/runner.ts'
import { archivePlaysJob } from './job.ts'
import { archiveOf, dayAgo } from './test-archive.ts'

const world = await openWorld()
const { db, app } = world
const { addTruck, playsOf, store, grade } = archiveOf(world)

const env = { brandName: 'Roadshow', publicUrl: 'http://localhost:3000', archiveAfterDays: 45 }
const { signal } = new AbortController()
const errors: unknown[] = []
const runArchive = ({ limitMs = 60_000 } = {}) =>
  runJob(archivePlaysJob, { db, blobs: app.blobs, env, limitMs, log: (error) => errors.push(error) }, { signal })

const archivedDays = async () => {
  const rows = await db.selectFrom('play_archive').select('day').distinct().orderBy('day').execute()
  return rows.map(({ day }) => day)
}

/** Makes storing files fail. The longest time that a run may take has passed then, or has not. */
function failAtFile({ isOverTime }: { isOverTime: boolean }): void {
  const end = new AbortController()
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(end.signal)
  const { writeFile } = app.blobs
  app.blobs.writeFile = async () => {
    if (isOverTime) end.abort()
    throw new Error('The disk is full.')
  }
  onTestFinished(() => {
    timeouts.mockRestore()
    app.blobs.writeFile = writeFile
  })
}

const truck = await addTruck([])
// These days are in at least three weeks.
for (const day of [100, 99, 80, 60]) {
  const midnight = Date.parse(dayAgo(day))
  const plays = playsOf(truck, day).map((play, n) => ({
    ...play,
    startedAt: new Date(midnight + n * 60_000).toISOString(),
  }))
  await store(truck, plays)
}
await grade()

describe('a run of the archive', () => {
  test('ends between two days when all of them fail for long', async () => {
    failAtFile({ isOverTime: true })
    await runArchive()
    expect(errors).toHaveLength(1)
    errors.length = 0
  })

  test('goes on after its usual time while every day fails, to reach one behind them', async () => {
    failAtFile({ isOverTime: false })
    await runArchive({ limitMs: 1 })
    expect(errors).toHaveLength(4)
    expect(await archivedDays()).toEqual([])
    errors.length = 0
  })

  test('ends between two days when its time is over, and the next run continues', async () => {
    expect(await runArchive({ limitMs: 1 })).toBe('more')
    expect(await archivedDays()).toEqual([dayAgo(100)])
    await runArchive({ limitMs: 1 })
    expect(await archivedDays()).toEqual([dayAgo(100), dayAgo(99)])
    expect(await runArchive()).toBe('done')
    expect(await archivedDays()).toEqual([dayAgo(100), dayAgo(99), dayAgo(80), dayAgo(60)])
    expect(errors).toEqual([])
  })
})
