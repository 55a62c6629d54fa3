import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import type { QueryOf } from '@roadshow/contract/platform/endpoint'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { adLog } from '@roadshow/contract/proof/reports'
import type { AdLogSummary } from '@roadshow/contract/proof/reports'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { timestamp } from '../../ui/time.ts'
import { useListState } from '../../ui/useListState.ts'
import { playColumns, playFilters } from './playColumns.tsx'
import { PlaySummary } from './PlaySummary.tsx'
import { ReportFrame } from './ReportFrame.tsx'
import type { ReportFilters } from './useReportFilters.ts'
import styles from './reports.module.css'

export default function AdLogPage() {
  return (
    <ReportFrame
      calls={adLog}
      needsMarket={false}
      nothing="No plays yet. They appear here as players report them."
      choose="Choose a program to see its plays."
    >
      {(filters) => <AdLogReport filters={filters} />}
    </ReportFrame>
  )
}

type Narrowed = ReportFilters & Pick<QueryOf<typeof adLog.summary>, 'truck' | 'side'>

const useSummary = (query: Narrowed) =>
  useQuery({
    queryKey: keyOf(adLog.summary, query),
    queryFn: async ({ signal }) => (await call(adLog.summary, { query }, { signal })).data,
    placeholderData: keepPreviousData,
  })

function AdLogReport({ filters }: { filters: ReportFilters }) {
  const { query } = useListState(adLog.list)
  const truck = [query.truck ?? []].flat()
  const side = [query.side ?? []].flat() as TruckSide[]
  // Truck and side narrow both: the figures above are those of the plays below.
  const found = useSummary({ ...filters, ...(truck.length > 0 && { truck }), ...(side.length > 0 && { side }) })
  const whole = useSummary(filters)
  const trucks = whole.data?.trucks
  const listFilters = useMemo(() => playFilters(trucks ?? []), [trucks])
  const columns = useMemo(() => playColumns(filters.market !== undefined), [filters.market])
  return (
    <>
      <section className={styles.part} aria-label="Summary" aria-busy={found.isPlaceholderData}>
        {found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <PlaySummary summary={found.data} from={filters.from} to={filters.to} />
        )}
        <p className={styles.hint}>
          {narrowedText(truck, side, trucks)} {zoneText(found.data)}
        </p>
      </section>
      <section className={styles.part} aria-labelledby="ad-log-plays">
        <h2 id="ad-log-plays">Plays</h2>
        {found.data && <KeptSince summary={found.data} from={filters.from} />}
        <DataTable
          nouns={['play', 'plays']}
          list={adLog.list}
          columns={columns}
          filters={listFilters}
          empty="No plays are stored for these days. Choose other days or another market."
        />
      </section>
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
  return `Days and times are those of ${zones.length > 1 ? `each market: ${zones.join(', ')}` : zones[0]}.`
}

/** Old plays are only counted: the list below then is shorter than the figures say. */
function KeptSince({ summary: { keptSince, zones }, from }: { summary: AdLogSummary; from: string }) {
  const since = keptSince && timestamp(keptSince, zones[0] ?? 'UTC')
  if (!since || since.slice(0, from.length) <= from) return null
  return <p className={styles.hint}>Plays are listed one by one since {since}; earlier ones are only counted.</p>
}
