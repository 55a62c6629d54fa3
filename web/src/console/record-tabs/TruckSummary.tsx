import { truckKindLabel, truckStateLabel } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { listFacts } from '@roadshow/contract/console/list-facts'
import { formatMileCount } from '@roadshow/contract/platform/distance'
import { formatCount } from '@roadshow/contract/platform/figures'
import { useCall } from '../../api/useCall.ts'
import { truckStateTone } from '../../catalog/trucks/truckColumns.tsx'
import { LiveStateTag } from '../../live/fleet/truckState.tsx'
import { Soft, Stack } from '../../ui/layout.tsx'
import { SummaryFigure, SummaryFigures } from '../../ui/record/SummaryFigures.tsx'
import { ErrorState, SkeletonLine } from '../../ui/states.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { NextShift } from '../lists/shared.tsx'

/** What keeps a truck from a shift, or its shifts from being proven. */
function missingOf({ kind, homeMarket, pixelMap, geotabDeviceId, player }: Truck): string[] {
  const isLed = kind === 'led'
  return [
    ...(homeMarket ? [] : ['home market']),
    ...(geotabDeviceId === '' ? ['tracker'] : []),
    ...(isLed && !pixelMap ? ['pixel map'] : []),
    ...(isLed && player === 'missing' ? ['player'] : []),
  ]
}

/** What a truck does, what comes next, and what is missing. */
export function TruckSummary({ truck }: { truck: Truck }) {
  const found = useCall(listFacts.trucks, { query: { truck: [truck.uid] } })
  const facts = found.data?.[0]
  const missing = missingOf(truck)
  return (
    <Stack as="section" gap={3} aria-label="Summary">
      <Soft as="p">
        {[truckKindLabel[truck.kind], truck.homeMarket?.name, truck.plate].filter(Boolean).join(' · ')}
      </Soft>
      {found.isError && !facts && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <SkeletonLine />}
      {facts && (
        <SummaryFigures>
          <SummaryFigure word="State">
            <StateTag tone={truckStateTone[truck.state]}>{truckStateLabel[truck.state]}</StateTag>
          </SummaryFigure>
          <SummaryFigure word="Now">{facts.state && <LiveStateTag state={facts.state} />}</SummaryFigure>
          <SummaryFigure word="Driver">{facts.shift?.driver}</SummaryFigure>
          <SummaryFigure word="Program">{facts.shift?.program}</SummaryFigure>
          <SummaryFigure word="Next shift">
            <NextShift facts={facts} />
          </SummaryFigure>
          <SummaryFigure word="Open issues">{formatCount(facts.openIssues)}</SummaryFigure>
          <SummaryFigure word="Miles this week">
            {facts.weekMetres === null ? '–' : formatMileCount(facts.weekMetres)}
          </SummaryFigure>
          <SummaryFigure word="Shifts planned">{formatCount(facts.shiftsPlanned)}</SummaryFigure>
        </SummaryFigures>
      )}
      {missing.length > 0 && <StateTag tone="warn">{`Missing: ${missing.join(', ')}`}</StateTag>}
    </Stack>
  )
}
