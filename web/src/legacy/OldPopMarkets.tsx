import { formatDay } from '@roadshow/contract/platform/dates'
import { formatCount } from '@roadshow/contract/platform/figures'
import type { OldPop } from '@roadshow/contract/legacy'
import type { PopMarket } from '@roadshow/contract/proof/pop'
import { useMemo } from 'react'
import { Soft, Stack } from '../ui/layout.tsx'
import { ClassicTable } from './table/ClassicTable.tsx'
import { yesNo } from './table/columns.ts'
import type { ClassicColumn } from './table/columns.ts'
import type { LineChanges } from './table/editsStore.ts'
import styles from './oldPages.module.css'

/** A market of a POP, with the POP as it was read: markets are saved together, under its version. */
export interface MarketRow extends PopMarket {
  pop: OldPop
}

const columns: ClassicColumn<MarketRow>[] = [
  { key: 'market', label: 'Market', width: 140, text: ({ market }) => market.name },
  { key: 'headline', label: 'Headline', width: 240, text: ({ headline }) => headline, edit: { kind: 'text' } },
  { key: 'text', label: 'Text', width: 360, text: ({ text }) => text, edit: { kind: 'lines' } },
  {
    key: 'startsOn',
    label: 'Starts',
    width: 100,
    text: ({ startsOn }) => (startsOn ? formatDay(startsOn) : ''),
    edit: { kind: 'day' },
  },
  {
    key: 'endsOn',
    label: 'Ends',
    width: 100,
    text: ({ endsOn }) => (endsOn ? formatDay(endsOn) : ''),
    edit: { kind: 'day' },
  },
  { key: 'isShown', label: 'Shown', width: 60, text: ({ isShown }) => yesNo(isShown), edit: { kind: 'check' } },
  {
    key: 'photos',
    label: 'Photos',
    width: 60,
    align: 'right',
    text: ({ photos }) => formatCount(photos),
  },
]

const rowKey = ({ market, pop }: MarketRow) => `${pop.uid} ${market.uid}`

interface OldPopMarketsProps {
  pop: OldPop
  save: ((row: MarketRow, changes: LineChanges) => Promise<unknown>) | undefined
  reload: () => Promise<readonly OldPop[]>
}

/** The markets of a POP, edited in place. */
export function OldPopMarkets({ pop, save, reload }: OldPopMarketsProps) {
  const rows = useMemo(() => pop.markets.map((market): MarketRow => ({ ...market, pop })), [pop])
  if (rows.length === 0) return <Soft as="div">The program has no markets yet.</Soft>
  return (
    <Stack gap={2} className={styles.part}>
      <ClassicTable
        isInner
        label={`Markets of ${pop.name}`}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        nameOf={({ market }) => `${market.name} of ${pop.name}`}
        reload={async () => {
          const newest = (await reload()).find(({ uid }) => uid === pop.uid)
          return newest ? newest.markets.map((market) => ({ ...market, pop: newest })) : []
        }}
        save={save && (async (row, changes) => row && (await save(row, changes)))}
      />
    </Stack>
  )
}
