import { Button } from 'antd'
import type { ReactNode } from 'react'
import { FilterChips } from './FilterChips.tsx'
import type { Filter } from './FilterChips.tsx'
import { ListSearch } from './ListSearch.tsx'
import { EmptyState } from '../EmptyState.tsx'
import type { useListFilters } from './useListFilters.ts'
import styles from './ListToolbar.module.css'
import { Row } from '../layout.tsx'

type Nouns = readonly [one: string, several: string]

interface ListToolbarProps {
  nouns: Nouns
  filters: readonly Filter[]
  narrowing: Pick<ReturnType<typeof useListFilters>, 'query' | 'ask' | 'isNarrowed' | 'clear'>
  /** Order, buttons and whatever else is done with the list. */
  children: ReactNode
}

/** What narrows a list down: its search, its filters, and the way back to all of it. */
export const ListToolbar = ({ nouns, filters, narrowing, children }: ListToolbarProps) => {
  const { query, ask, isNarrowed, clear } = narrowing
  return (
    <Row gap={4} lineGap={2} align="start" wrap role="search">
      <div className={styles.search}>
        <ListSearch noun={nouns[1]} query={query} ask={ask} />
      </div>
      <div className={styles.filters}>
        <FilterChips filters={filters} given={query} onChange={ask} />
        {isNarrowed && (
          <Button type="link" size="small" onClick={clear}>
            Clear
          </Button>
        )}
      </div>
      <div className={styles.actions}>{children}</div>
    </Row>
  )
}

/** Search and filters leave nothing of the list. */
export const NoMatch = ({ nouns, onClear }: { nouns: Nouns; onClear: () => void }) => (
  <EmptyState action={<Button onClick={onClear}>Clear search and filters</Button>}>
    {`No ${nouns[0]} matches.`}
  </EmptyState>
)
