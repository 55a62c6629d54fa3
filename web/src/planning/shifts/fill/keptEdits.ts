import type { Ghost } from './ghosts.ts'

export type GhostChange = Partial<Pick<Ghost, 'truck' | 'driver' | 'start' | 'end'>>

/** What the planner changed of a fill proposal. */
export interface FillEdits {
  /** The fill proposal that they belong to. */
  of: string
  dropped: ReadonlySet<string>
  changed: ReadonlyMap<string, GhostChange>
  refused: Readonly<Record<string, string>>
}

const KEPT_AS = 'fill-edits'

export const noEdits = (of: string): FillEdits => ({ of, dropped: new Set(), changed: new Map(), refused: {} })

/** Keeps edits while the tab is open: a reload or a sign-in on the way loses none. */
export function keepEdits({ of, dropped, changed }: FillEdits): void {
  sessionStorage.setItem(KEPT_AS, JSON.stringify({ of, dropped: [...dropped], changed: [...changed] }))
}

/** The kept edits of a fill proposal; those of another one are left. */
export function keptEdits(of: string): FillEdits {
  const kept = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? '{}') as {
    of?: string
    dropped?: string[]
    changed?: [string, GhostChange][]
  }
  if (kept.of !== of) return noEdits(of)
  return { ...noEdits(of), dropped: new Set(kept.dropped), changed: new Map(kept.changed) }
}
