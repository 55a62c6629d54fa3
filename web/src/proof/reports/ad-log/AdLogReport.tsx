import { trucks as fleetTrucks } from '@roadshow/contract/catalog/trucks'
import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { adLog } from '@roadshow/contract/proof/ad-log'
import type { AdLogSummary } from '@roadshow/contract/proof/ad-log'
import { useMemo } from 'react'
import { clients } from '@roadshow/contract/catalog/clients'
import { shifts } from '@roadshow/contract/planning/shifts'
import { useCall } from '../../../api/useCall.ts'
import { useMay } from '../../../api/user.ts'
import { clientLookup } from '../../../catalog/lookups/clientLookup.ts'
import { driverLookup } from '../../../planning/shifts/shiftLookups.ts'
import type { Filter } from '../../../ui/list/FilterChips.tsx'
import { DataTable } from '../../../ui/list/DataTable.tsx'
import { Soft, Stack } from '../../../ui/layout.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { formatMoment, timestamp } from '@roadshow/contract/platform/dates'
import { formatCount } from '@roadshow/contract/platform/figures'
import { PLAYS_HEADING } from '../FilterLink.tsx'
import { playColumns, playFilters } from './playColumns.tsx'
import { PlaySummary } from './PlaySummary.tsx'
import type { LogFilters } from './useLogFilters.ts'
import styles from '../reports.module.css'

const useSummary = (query: LogFilters) => useCall(adLog.summary, { query }, { keepsOld: true })

/** Filters that stand beside the list: trucks of the report, and people whom the reader may look up. */
function useListedFilters(trucks: AdLogSummary['trucks'] | undefined): Filter[] {
  const [mayFindClients, mayFindDrivers] = [useMay(clients.list), useMay(shifts.drivers)]
  return useMemo(
    () => [
      ...(mayFindClients ? [{ key: 'client', label: 'Client', lookup: clientLookup }] : []),
      ...playFilters(trucks ?? [], mayFindDrivers ? [{ key: 'driver', label: 'Driver', lookup: driverLookup }] : []),
    ],
    [trucks, mayFindClients, mayFindDrivers],
  )
}

/** The figures of plays, and the plays one by one, by the same filters. */
export function AdLogReport({ filters }: { filters: LogFilters }) {
  // A grade narrows the plays alone: the figures above count each grade.
  const found = useSummary(filters)
  const { truck: _truck, side: _side, ...ofAllTrucks } = filters
  const trucks = useSummary(ofAllTrucks).data?.trucks
  const listFilters = useListedFilters(trucks)
  const columns = useMemo(
    () => playColumns({ hasProgram: filters.program?.length !== 1, hasZone: (found.data?.zones.length ?? 0) > 1 }),
    [filters.program, found.data?.zones.length],
  )
  return (
    <>
      <Stack as="section" gap={3} className={styles.part} aria-label="Summary" aria-busy={found.isPlaceholderData}>
        {found.isError ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <PlaySummary summary={found.data} filters={filters} />
        )}
        <Soft as="p" small className={styles.hint}>
          {narrowedText(filters, trucks)} {zoneText(found.data)}
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
          next={{ label: 'Open trucks', needs: fleetTrucks.create, to: '/trucks', search: {} }}
          empty={
            filters.shift
              ? 'No plays are stored for this shift. The player of its truck sends them.'
              : 'No plays are stored for these days and filters. Players of trucks send them: pair one under Trucks, or choose other days.'
          }
        />
      </Stack>
    </>
  )
}

function narrowedText({ truck = [], side = [] }: LogFilters, trucks: AdLogSummary['trucks'] = []): string {
  const names = truck.map((uid) => trucks.find((each) => each.truck.uid === uid)?.truck.name ?? '?')
  const only = [
    ...(names.length > 0 ? [`truck ${names.join(', ')}`] : []),
    ...(side.length > 0 ? [side.map((each) => truckSideLabel[each].toLowerCase()).join(', ')] : []),
  ]
  return only.length > 0 ? `Only ${only.join('; ')}.` : ''
}

function zoneText(summary: AdLogSummary | undefined): string {
  const { zones = [] } = summary ?? {}
  if (zones.length === 0) return ''
  const zone = zones.length > 1 ? `each market: ${zones.join(', ')}` : zones[0]
  return `Days, hours and times are those of ${zone}. A night shift counts on the day it starts.`
}

/** Old plays are only counted: the list below then is shorter than the figures say. */
function KeptSince({
  summary: { keptSince, zones, onlyCounted },
  from,
}: {
  summary: AdLogSummary
  from: string | undefined
}) {
  const zone = zones[0] ?? 'UTC'
  if (!keptSince || from === undefined || timestamp(keptSince, zone).slice(0, from.length) <= from) return null
  const earlier = onlyCounted > 0 ? `${formatCount(onlyCounted)} earlier` : 'earlier ones'
  return (
    <Soft as="p" small className={styles.hint}>
      Plays are listed one by one since {formatMoment(keptSince, zone)}; {earlier} are only counted.
    </Soft>
  )
}
