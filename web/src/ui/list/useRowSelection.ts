import { uidOf } from '@roadshow/contract/platform/common'
import type { Keyed } from '@roadshow/contract/platform/common'
import { useState } from 'react'
import type { ComponentType } from 'react'
import type { RowSelection } from '../rows/rows.ts'

/** What can be done with several rows at once. */
export interface BulkActs<Row> {
  nameOf: (row: Row) => string
  /** Shown while rows are selected. */
  bar: ComponentType<{ chosen: readonly Row[]; onNone: () => void }>
}

/** The rows of a page that are selected. Those that have left the page are not acted on. */
export function useRowSelection<Row extends Keyed>(bulk: BulkActs<Row> | undefined, rows: readonly Row[] = []) {
  const [uids, setUids] = useState<ReadonlySet<string>>(new Set())
  const chosen = rows.filter((row) => uids.has(uidOf(row)))
  const selection: RowSelection<Row> | undefined = bulk && {
    chosen: new Set(chosen.map(uidOf)),
    onChoose: (some, isChosen) => {
      const named = new Set(some.map(uidOf))
      setUids(new Set([...chosen.map(uidOf).filter((uid) => !named.has(uid)), ...(isChosen ? named : [])]))
    },
    nameOf: bulk.nameOf,
  }
  return { selection, chosen, onNone: () => setUids(new Set()) }
}
