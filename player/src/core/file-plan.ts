import { DAY_MS, type PlayerData, type PlayerFile, type PlayerSet } from '@roadshow/contract'

/** Decides which files a player downloads, keeps and sweeps. */

/** A file that is no longer needed is kept for so long: campaigns come back. */
const KEPT_MS = 7 * DAY_MS
/** The share of the quota that files may take; plays and the page itself need the rest. */
const QUOTA_SHARE = 0.9

export type NeededFile = Pick<PlayerFile, 'sha256' | 'size' | 'contentType' | 'url'>

export interface HeldFile {
  sha256: string
  size: number
  /** When a manifest last needed it. */
  neededAt: number
}

export interface FilePlan {
  /** In the order of need. */
  download: NeededFile[]
  /** Hashes of files to delete before downloading. */
  sweep: string[]
  /** Needed later, but there is no room for them yet. */
  deferred: NeededFile[]
}

/** Each file that a manifest needs, once, the most urgent first: what runs now, the fallback, then what comes next. */
export function neededFiles({ shifts, fallback }: Pick<PlayerData, 'shifts' | 'fallback'>, now: number): NeededFile[] {
  const current = shifts
    .filter(({ endsAt }) => Date.parse(endsAt) > now)
    .toSorted((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt))
  const [first, ...later] = current.map(({ artwork, loop, addresses }) => ({
    own: [artwork, ...(loop?.lines ?? []).map((line) => line.artwork)],
    near: addresses.map((address) => address.artwork),
  }))
  const sets: (PlayerSet | null | undefined)[] = [
    ...(first?.own ?? []),
    fallback,
    ...(first?.near ?? []),
    ...later.flatMap(({ own, near }) => [...own, ...near]),
  ]
  const files = new Map<string, NeededFile>()
  for (const { sha256, size, contentType, url } of sets.flatMap((set) => set?.files ?? [])) {
    if (!files.has(sha256)) files.set(sha256, { sha256, size, contentType, url })
  }
  return [...files.values()]
}

interface Storage {
  held: readonly HeldFile[]
  quotaBytes: number
  now: number
}

/** What to download and what to delete, so that the most urgent files fit. */
export function planFiles(needed: readonly NeededFile[], { held, quotaBytes, now }: Storage): FilePlan {
  const heldHashes = new Set(held.map(({ sha256 }) => sha256))
  const wanted = new Set<string>()
  const plan: FilePlan = { download: [], sweep: [], deferred: [] }
  let room = quotaBytes * QUOTA_SHARE
  for (const file of needed) {
    if (file.size > room) {
      plan.deferred.push(file)
      continue
    }
    room -= file.size
    wanted.add(file.sha256)
    if (!heldHashes.has(file.sha256)) plan.download.push(file)
  }
  const deferred = new Set(plan.deferred.map(({ sha256 }) => sha256))
  // The rest stays while there is room: what was needed last, the longest.
  const others = held
    .filter(({ sha256 }) => !wanted.has(sha256))
    .toSorted((one, other) => other.neededAt - one.neededAt)
  for (const { sha256, size, neededAt } of others) {
    const isKept = size <= room && (deferred.has(sha256) || now - neededAt <= KEPT_MS)
    if (isKept) room -= size
    else plan.sweep.push(sha256)
  }
  return plan
}

export interface FileProgress {
  filesHeld: number
  filesNeeded: number
  bytesHeld: number
  bytesNeeded: number
}

export function fileProgress(needed: readonly NeededFile[], held: ReadonlySet<string>): FileProgress {
  const there = needed.filter(({ sha256 }) => held.has(sha256))
  const bytesOf = (files: readonly NeededFile[]) => files.reduce((sum, { size }) => sum + size, 0)
  return {
    filesHeld: there.length,
    filesNeeded: needed.length,
    bytesHeld: bytesOf(there),
    bytesNeeded: bytesOf(needed),
  }
}

/** "3 of 5 files". */
export const formatFileProgress = ({ filesHeld, filesNeeded }: FileProgress): string =>
  `${filesHeld} of ${filesNeeded} ${filesNeeded === 1 ? 'file' : 'files'}`
