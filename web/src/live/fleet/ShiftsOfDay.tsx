import { PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { fleet } from '@roadshow/contract/live/fleet'
import type { ShiftStage } from '@roadshow/contract/live/fleet'
import { markets } from '@roadshow/contract/catalog/markets'
import { Button } from 'antd'
import { useState } from 'react'
import { useList } from '../../api/useList.ts'
import { useIsOutsider, useMay } from '../../api/user.ts'
import { Pager } from '../../ui/rows/Pager.tsx'
import { RowCards } from '../../ui/rows/RowCards.tsx'
import { RowTable } from '../../ui/rows/RowTable.tsx'
import { SearchBox } from '../../ui/list/SearchBox.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { ErrorState } from '../../ui/states.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { useIsPhone } from '../../ui/useMedia.ts'
import { shiftOfDayColumns } from './shiftOfDayColumns.tsx'
import shared from './overview.module.css'
import { lazyPart } from '../../ui/lazyPart.tsx'

const MarketFilter = lazyPart(() => import('./MarketFilter.tsx'))

interface MarketChoiceProps {
  given: UrlSearch
  onChange: (changes: UrlSearch) => void
}

/** The market filter. Its select is large, so it loads on first use. */
function MarketChoice({ given, onChange }: MarketChoiceProps) {
  const [isWanted, setWanted] = useState(false)
  if (isWanted) return <MarketFilter given={given} onChange={onChange} />
  return (
    <Button aria-haspopup="listbox" onClick={() => setWanted(true)}>
      Market
    </Button>
  )
}

// Clients see neither drivers nor whether a truck is ready.
const columnsOfClients = shiftOfDayColumns
  .filter(({ key }) => key !== 'driver')
  .map((column) => (column.key === 'state' ? { ...column, title: 'Truck now' } : column))

const stageWords: Record<ShiftStage, string> = {
  planned: 'planned',
  out: 'out',
  late: 'late',
  startedLate: 'started late',
  done: 'done',
  withoutPlays: 'without plays',
}

interface ShiftsOfDayProps {
  /** The filters that the figures set. */
  stage: ShiftStage | undefined
  onStage: (stage: undefined) => void
}

/** Today's shifts with the state of their trucks; each opens in the schedule. */
export default function ShiftsOfDay({ stage, onStage }: ShiftsOfDayProps) {
  const [asked, setAsked] = useState<UrlSearch>({})
  const [sort, setSort] = useState<string>()
  const [place, setPlace] = useState({ page: 1, stage })
  // Narrowed to something else, the list begins again.
  if (place.stage !== stage) setPlace({ page: 1, stage })
  const query = { ...asked, stage, sort, ...(place.page > 1 && { page: String(place.page) }) }
  const found = useList(fleet.shifts, query)
  const phone = useIsPhone()
  const maySeeMarkets = useMay(markets.list)
  const isOutside = useIsOutsider()
  const ask = (changes: UrlSearch) => {
    setAsked((now) => ({ ...now, ...changes }))
    setPlace({ page: 1, stage })
  }
  const Rows = phone ? RowCards : RowTable
  const { data: rows, total = 0 } = found.data ?? {}
  const isNarrowed = stage !== undefined || Object.values(asked).some((each) => each !== undefined)
  return (
    <>
      <Row gap={3} lineGap={2} align="center" wrap role="search" aria-label="Shifts of the day">
        <div className={shared.search}>
          <SearchBox
            label="Search shifts of the day"
            value={String(asked.search ?? '')}
            onChange={(text) => ask({ search: text || undefined })}
          />
        </div>
        {maySeeMarkets && <MarketChoice given={asked} onChange={ask} />}
        {stage && (
          <Button size="small" onClick={() => onStage(undefined)}>
            Only {stageWords[stage]} ×
          </Button>
        )}
        <Soft role="status" className="figures">
          {total > 0 && countOf(total, 'shift')}
        </Soft>
      </Row>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {rows?.length === 0 && <p className={shared.calm}>{isNarrowed ? 'No shifts match.' : 'No shifts today.'}</p>}
      {rows?.length !== 0 && (rows || !found.isError) && (
        <Rows
          list={fleet.shifts}
          columns={isOutside ? columnsOfClients : shiftOfDayColumns}
          rows={rows}
          stale={found.isPlaceholderData}
          sort={sort}
          onSort={setSort}
          isError={() => false}
          label="Shifts of the day"
          to="/schedule/program-schedule"
        />
      )}
      <Pager page={place.page} perPage={PAGE_SIZE} total={total} onChange={(page) => setPlace({ page, stage })} />
    </>
  )
}
