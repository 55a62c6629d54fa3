import { formatRadius } from '@roadshow/contract/platform/distance'
import { DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { uid } from '@roadshow/contract/platform/common'
import { markets } from '@roadshow/contract/catalog/markets'
import type { Market } from '@roadshow/contract/catalog/markets'
import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { RecordDrawer } from '../../ui/record/RecordDrawer.tsx'
import { Pager } from '../../ui/rows/Pager.tsx'
import { ImportButton } from '../../ui/list/ImportButton.tsx'
import { SearchBox } from '../../ui/list/SearchBox.tsx'
import { List, Row, Stack } from '../../ui/layout.tsx'
import styles from '../../ui/record/recordButtons.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { NEW_RECORD } from '../../ui/useListState.ts'
import MarketForm from './MarketForm.tsx'

const PER_PAGE = 50

interface MarketsDrawerProps {
  /** `new` or a market's uid; anything else for the list. */
  open: string
  show: (what: string | undefined) => void
}

/** The markets by name; each opens its own drawer over this one. A link to one market opens it alone. */
export default function MarketsDrawer({ open, show }: MarketsDrawerProps) {
  const [isAlone] = useState(uid.safeParse(open).success)
  if (isAlone) {
    return <RecordDrawer form={MarketForm} open={open} onClose={() => show(undefined)} />
  }
  return <MarketList open={open} show={show} />
}

function MarketList({ open, show }: MarketsDrawerProps) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const mayCreate = useMay(markets.create)
  const found = useList(markets.list, {
    sort: 'name',
    page: String(page),
    pageSize: String(PER_PAGE),
    ...(search && { search }),
  })
  const { data: rows, total = 0 } = found.data ?? {}
  const form = uid.safeParse(open).success || (open === NEW_RECORD && mayCreate) ? open : undefined
  const create = mayCreate && (
    <Button type="primary" onClick={() => show(NEW_RECORD)}>
      New market
    </Button>
  )
  return (
    <>
      <Drawer
        open
        onClose={() => show(undefined)}
        size={DRAWER_WIDTH}
        title="Markets"
        extra={
          rows?.length !== 0 &&
          create && (
            <Row gap={2}>
              <ImportButton kind="markets" />
              {create}
            </Row>
          )
        }
      >
        <Stack gap={3}>
          <SearchBox
            label="Search markets"
            value={search}
            onChange={(text) => {
              setSearch(text)
              setPage(1)
            }}
          />
          {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
          {!rows && !found.isError && <SkeletonLines />}
          {rows?.length === 0 && (
            <EmptyState
              action={!search && create}
              imports={search ? undefined : { kind: 'markets', needs: markets.create }}
            >
              {search
                ? 'No market matches.'
                : 'No markets yet. Markets are the metro areas in which programs run; plays outside of them do not count.'}
            </EmptyState>
          )}
          <List className={styles.items} aria-label="Markets">
            {rows?.map((market) => (
              <MarketItem key={market.uid} market={market} onOpen={() => show(market.uid)} />
            ))}
          </List>
          <Pager page={page} perPage={PER_PAGE} total={total} onChange={setPage} />
        </Stack>
      </Drawer>
      <RecordDrawer form={MarketForm} open={form} onClose={() => show('list')} />
    </>
  )
}

function extent({ outline, radiusM, depots }: Market): string {
  const area = outline
    ? 'outline drawn'
    : radiusM === null
      ? 'no area yet'
      : `${formatRadius(radiusM)} around its center`
  return depots.length > 0 ? `${area} · ${depots.length} ${depots.length === 1 ? 'depot' : 'depots'}` : area
}

const MarketItem = ({ market, onOpen }: { market: Market; onOpen: () => void }) => (
  <li>
    <button type="button" onClick={onOpen}>
      <strong>{market.state ? `${market.name}, ${market.state}` : market.name}</strong>
      <span>
        {market.zone} · {extent(market)}
      </span>
    </button>
  </li>
)
