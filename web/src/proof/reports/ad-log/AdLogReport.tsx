import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { adLog } from '@roadshow/contract/proof/ad-log'
import type { AdLogSummary } from '@roadshow/contract/proof/ad-log'
import { useMemo } from 'react'
import { useCall } from '../../../api/useCall.ts'
import { DataTable } from '../../../ui/list/DataTable.tsx'
import { Soft, Stack } from '../../../ui/layout.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { formatMoment, timestamp } from '@roadshow/contract/platform/dates'
import { useListState } from '../../../ui/useListState.ts'
import { PLAYS_HEADING } from '../FilterLink.tsx'
import { playColumns, playFilters } from './playColumns.tsx'
import { PlaySummary } from './PlaySummary.tsx'
import type { PlayFilters, ReportFilters } from '../useReportFilters.ts'
import styles from '../reports.module.css'

const useSummary = (query: PlayFilters) => useCall(adLog.summary, { query }, { keepsOld: true })

/** The figures of a program's plays, and the plays one by one. */
export function AdLogReport({ filters }: { filters: ReportFilters }) {
  const { query } = useListState(adLog.list)
  const truck = [query.truck ?? []].flat()
  const side = [query.side ?? []].flat() as TruckSide[]
  // Truck and side narrow both: the figures above are those of the plays below.
  const narrowed = { ...filters, ...(truck.length > 0 && { truck }), ...(side.length > 0 && { side }) }
  const found = useSummary(narrowed)
  const trucks = useSummary(filters).data?.trucks
  const listFilters = useMemo(() => playFilters(trucks ?? []), [trucks])
  const isOneMarket = filters.market !== undefined || filters.shift !== undefined
  const columns = useMemo(() => playColumns(isOneMarket), [isOneMarket])
  return (
    <>
      <Stack as="section" gap={3} className={styles.part} aria-label="Summary" aria-busy={found.isPlaceholderData}>
        {found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <PlaySummary summary={found.data} filters={narrowed} />
        )}
        <Soft as="p" small className={styles.hint}>
          {narrowedText(truck, side, trucks)} {zoneText(found.data)}
        </Soft>
      </Stack>
      <Stack as="section" gap={3} className={styles.part} aria-labelledby={PLAYS_HEADING}>
        <h2 id={PLAYS_HEADING}>Plays</h2>
        {found.data && <KeptSince summary={found.data} from={filters.from ?? found.data.days[0]?.day} />}
        <DataTable
          nouns={['play', 'plays']}
          list={adLog.list}
          columns={columns}
          filters={listFilters}
          empty={
            filters.shift
              ? 'No plays are stored for this shift.'
              : 'No plays are stored for these days. Choose other days or another market.'
          }
        />
      </Stack>
    </>
  )
}

function narrowedText(truckUids: string[], sides: TruckSide[], trucks: AdLogSummary['trucks'] = []): string {
  const names = truckUids.map((uid) => trucks.find(({ truck }) => truck.uid === uid)?.truck.name ?? '?')
  const only = [
    ...(names.length > 0 ? [`truck ${names.join(', ')}`] : []),
    ...(sides.length > 0 ? [sides.map((side) => truckSideLabel[side].toLowerCase()).join(', ')] : []),
  ]
  return only.length > 0 ? `Only ${only.join('; ')}.` : ''
}

function zoneText(summary: AdLogSummary | undefined): string {
  const { zones = [] } = summary ?? {}
  if (zones.length === 0) return ''
  const zone = zones.length > 1 ? `each market: ${zones.join(', ')}` : zones[0]
  return `Days and times are those of ${zone}. A night shift counts on the day it starts.`
}

/** Old plays are only counted: the list below then is shorter than the figures say. */
function KeptSince({ summary: { keptSince, zones }, from }: { summary: AdLogSummary; from: string | undefined }) {
  const zone = zones[0] ?? 'UTC'
  if (!keptSince || from === undefined || timestamp(keptSince, zone).slice(0, from.length) <= from) return null
  return (
    <Soft as="p" small className={styles.hint}>
      Plays are listed one by one since {formatMoment(keptSince, zone)}; earlier ones are only counted.
    </Soft>
  )
}
