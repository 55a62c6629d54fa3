import { programStatusLabel } from '@roadshow/contract/catalog/programs'
import type { Program } from '@roadshow/contract/catalog/programs'
import { listFacts } from '@roadshow/contract/console/list-facts'
import { programProgress } from '@roadshow/contract/console/program-steps'
import { formatDays } from '@roadshow/contract/platform/dates'
import { formatCount } from '@roadshow/contract/platform/figures'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { programStatusTone } from '../../catalog/programs/programColumns.tsx'
import { PaceTag } from '../../proof/delivery/DeliveryLines.tsx'
import { Soft, Stack } from '../../ui/layout.tsx'
import { SummaryFigure, SummaryFigures } from '../../ui/record/SummaryFigures.tsx'
import { ErrorState, SkeletonLine } from '../../ui/states.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { dollars, NextShift } from '../lists/shared.tsx'
import { ProgramStepsLine } from '../program-steps/ProgramStepsLine.tsx'

/** How a program is doing, what comes next, and what is missing. */
export function ProgramSummary({ program }: { program: Program }) {
  const maySeeSteps = useMay(programProgress.steps)
  const found = useCall(listFacts.programs, { query: { program: [program.uid] } })
  const facts = found.data?.[0]
  return (
    <Stack as="section" gap={3} aria-label="Summary">
      <Soft as="p">
        {program.client.name} · {formatDays(program.startsOn, program.endsOn)}
      </Soft>
      {found.isError && !facts && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <SkeletonLine />}
      {facts && (
        <SummaryFigures>
          <SummaryFigure word="Status">
            <StateTag tone={programStatusTone[program.status]}>{programStatusLabel[program.status]}</StateTag>
          </SummaryFigure>
          <SummaryFigure word="Pace">
            <PaceTag {...facts} />
          </SummaryFigure>
          <SummaryFigure word="Next shift">
            <NextShift facts={facts} />
          </SummaryFigure>
          <SummaryFigure word="Shifts planned">{formatCount(facts.shiftsPlanned)}</SummaryFigure>
          <SummaryFigure word="Booked">{dollars(facts.bookedCents)}</SummaryFigure>
          <SummaryFigure word="Delivered">{dollars(facts.deliveredCents)}</SummaryFigure>
        </SummaryFigures>
      )}
      {maySeeSteps && <ProgramStepsLine program={program} />}
    </Stack>
  )
}
