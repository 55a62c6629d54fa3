import { addresses } from '@roadshow/contract/catalog/addresses'
import { sdReport } from '@roadshow/contract/proof/sd-report'
import { Button } from 'antd'
import { useMemo } from 'react'
import { useCall } from '../../../api/useCall.ts'
import { DataTable } from '../../../ui/list/DataTable.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { StateTag } from '../../../ui/text/StateTag.tsx'
import { timestamp } from '@roadshow/contract/platform/dates'
import { useListState } from '../../../ui/useListState.ts'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { Soft, Stack } from '../../../ui/layout.tsx'
import { FigureStrip } from '../FigureStrip.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { playTimeText } from '../reportNumbers.ts'
import { AddressPlays } from './AddressPlays.tsx'
import { approachCircles, outcomeLabel, outcomeTone } from './approachMap.ts'
import { ApproachMap } from './ApproachMap.tsx'
import { ProgramRanking } from './ProgramRanking.tsx'
import { SdFilterBar } from './SdFilterBar.tsx'
import { sdColumns } from './sdColumns.tsx'
import { useSdFilters } from './useSdFilters.ts'
import type { SdFilters } from './useSdFilters.ts'
import shared from '../reports.module.css'
import styles from './SdReportPage.module.css'
import { lazyForm } from '../../../ui/record/RecordDrawer.tsx'

const ApproachesDrawer = lazyForm(() => import('./ApproachesDrawer.tsx'))

/** All programs by their plays near SD addresses, and the addresses of the one that is chosen. */
export default function SdReportPage() {
  const filters = useSdFilters()
  const { given, named, complete } = filters
  return (
    <Stack gap={4}>
      <SdFilterBar filters={filters} />
      {named.failed && <ErrorState error={named.failed.error} onRetry={() => void named.failed?.refetch()} />}
      {named.isUnknown && (
        <EmptyState action={<Button onClick={() => filters.chooseProgram(undefined)}>Choose another program</Button>}>
          No data to report here, or you don’t have access to it.
        </EmptyState>
      )}
      {filters.isSettling && <SkeletonLines rows={9} />}
      {filters.isRankingReady && <ProgramRanking market={given.market} from={given.from} to={given.to} />}
      {complete && !named.isUnknown && <SdReportBody filters={complete} />}
    </Stack>
  )
}

function SdReportBody({ filters }: { filters: SdFilters }) {
  const zone = useCall(sdReport.summary, { query: filters }).data?.zone ?? 'UTC'
  const { program, market, from, to } = filters
  const columns = useMemo(
    () => sdColumns(zone, { program, ...(market && { market }), from, to }),
    [zone, program, market, from, to],
  )
  return (
    <>
      <SdSummaryPart filters={filters} zone={zone} />
      <Stack as="section" gap={3} className={shared.part} aria-labelledby="sd-addresses">
        <h2 id="sd-addresses">Addresses</h2>
        <DataTable
          nouns={['address', 'addresses']}
          list={sdReport.list}
          columns={columns}
          form={ApproachesDrawer}
          next={{
            label: 'Open SD addresses',
            needs: addresses.create,
            to: '/gps-addresses',
            search: { program: filters.program },
          }}
          empty="The program has no SD addresses here, and none was reached on these days."
        />
      </Stack>
    </>
  )
}

/** The totals, and every address on a map. */
function SdSummaryPart({ filters, zone }: { filters: SdFilters; zone: string }) {
  const { open, show } = useListState(sdReport.list)
  const found = useCall(sdReport.summary, { query: filters })
  const totals = found.data?.totals
  const places = found.data?.places
  const circles = useMemo(() => approachCircles(places ?? []), [places])
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const timeText = (instant: string | null | undefined) => (instant ? timestamp(instant, zone) : EM_DASH)
  return (
    <Stack as="section" gap={3} className={shared.part} aria-label="Totals">
      <FigureStrip
        label="Totals of the report"
        figures={[
          { word: 'Plays', figure: totals && <AddressPlays of={filters} plays={totals.plays} /> },
          { word: 'Time shown', figure: totals && playTimeText(totals.seconds) },
          { word: 'Approaches', figure: totals && formatCount(totals.approaches) },
          { word: 'Missed', figure: totals && formatCount(totals.missed), tone: totals?.missed ? 'warn' : undefined },
          {
            word: 'Addresses reached',
            figure: totals && `${formatCount(totals.reached)} of ${formatCount(totals.addresses)}`,
          },
          { word: 'Trucks', figure: totals && formatCount(totals.trucks) },
        ]}
      />
      <ApproachMap
        // Other filters make another map, which fits all addresses.
        key={JSON.stringify(filters)}
        label="Map of the addresses"
        circles={circles}
        chosen={open}
        onChoose={show}
      />
      <div className={styles.legend}>
        {(['shown', 'missed', 'notDue', 'notReached'] as const).map((outcome) => (
          <StateTag key={outcome} tone={outcomeTone[outcome]}>
            {outcomeLabel[outcome]}
          </StateTag>
        ))}
        <span>The larger the circle, the more plays.</span>
        <Soft small className={styles.zone}>
          {totals?.firstAt && `From ${timeText(totals.firstAt)} to ${timeText(totals.lastAt)}. `}
          Days and times are in {zone}.
        </Soft>
      </div>
    </Stack>
  )
}
