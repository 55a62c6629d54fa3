import { truckSides } from '@roadshow/contract/catalog/pixel-maps'
import type { PlayerData } from '@roadshow/contract/live/device-events'
import { afterEach, expect, test, vi } from 'vitest'
import type { HeldFile } from '../core/file-plan.ts'
import type { DeviceStore } from '../store/device-store.ts'
import { ArtworkFiles } from './artwork-files.ts'
import type { FileWorker } from './worker-client.ts'

const tick = () => new Promise((resolve) => setTimeout(resolve))

/** A worker that does one thing after the other, when the test says so. */
function steppedWorker(names: string[]) {
  const folder = new Set(names)
  const downloaded: string[] = []
  const queue: (() => void)[] = []
  const ask = <T>(act: () => T) => new Promise<T>((resolve) => queue.push(() => resolve(act())))
  const worker = {
    list: () => ask(() => [...folder]),
    isIntact: (sha256: string) => ask(() => folder.has(sha256)),
    remove: (sha256: string) => ask(() => void folder.delete(sha256)),
    download: ({ sha256 }: { sha256: string }) =>
      ask(() => {
        folder.add(sha256)
        downloaded.push(sha256)
      }),
    close: () => undefined,
  }
  /** Does the oldest thing, and lets the page hear of it. */
  const step = async () => {
    queue.shift()?.()
    await tick()
  }
  return { worker: worker as unknown as FileWorker, folder, downloaded, queue, step }
}

afterEach(() => vi.unstubAllGlobals())

const START = Date.UTC(2026, 6, 1, 12)
const names = ['of the driver side', 'of the passenger side', 'of the rear']
const manifest: Pick<PlayerData, 'shifts' | 'fallback'> = {
  shifts: [],
  fallback: {
    artworkSetUid: 'house',
    name: 'House',
    files: truckSides.map((side, index) => ({
      side,
      sha256: names[index] ?? '',
      contentType: 'image/png',
      size: 1000,
      durationMs: null,
      url: `/${side}`,
    })),
  },
}

async function openFiles(store: Partial<DeviceStore> = {}, held = names) {
  const storage = { persist: async () => true, estimate: async () => ({ quota: 1e9, usage: 0 }) }
  vi.stubGlobal('navigator', { storage })
  const stepped = steppedWorker(held)
  const kept = held.map((sha256): HeldFile => ({ sha256, size: 1000, neededAt: START }))
  const all = { files: async () => kept, keepFiles: async () => undefined, forgetFile: async () => undefined, ...store }
  const problems: string[] = []
  const files = new ArtworkFiles({
    store: all as unknown as DeviceStore,
    worker: stepped.worker,
    now: () => START,
    report: (problem) => problems.push(problem),
  })
  const started = files.start()
  await stepped.step()
  await started
  files.follow(manifest)
  await tick()
  return { ...stepped, files, problems }
}

test('files that are deleted while they are checked are downloaded again, all of them', async () => {
  const { files, folder, downloaded, queue, step } = await openFiles()
  await step()
  const deleted = files.downloadAgain()
  while (queue.length > 0) await step()
  await deleted
  while (queue.length > 0) await step()
  expect(downloaded).toEqual(names)
  expect([...folder]).toEqual(names)
  expect(files.progress).toMatchObject({ filesHeld: 3, filesNeeded: 3 })
})

test('a store that fails keeps no file from the screen', async () => {
  const fail = () => Promise.reject(new Error('The store is closed.'))
  const { files, queue, step, problems } = await openFiles({ keepFiles: fail }, [])
  while (queue.length > 0) await step()
  expect(names.every((name) => files.has(name))).toBe(true)
  expect(problems).toContain('Files: Error: The store is closed.')
})
