import { ProgramMails } from '../campaign-mails/ReportMails.tsx'
import { RowLink } from '../../ui/rows/RowLink.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { FigureSummary, LiveFigures } from './LiveFigures.tsx'
import { PopStateTag } from './popColumns.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { PublicLink } from './publication/PublicLink.tsx'
import { usePop } from './usePop.ts'
import shared from './pop.module.css'

/** The POP of a program in its drawer: its figures and a link. */
export function PopTab({ program }: { program: string }) {
  const found = usePop(program)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  const pop = found.data
  return (
    <Stack gap={4} className={shared.stack}>
      <Row gap={3} lineGap={1} align="center" wrap>
        <PopStateTag state={pop.state} />
        {pop.shownVersion !== null && <span className="figures">version {pop.shownVersion}</span>}
        <Soft className="figures">
          {formatCount(pop.views)} {pop.views === 1 ? 'view' : 'views'}
        </Soft>
      </Row>
      {pop.state === 'published' && <PublicLink pop={pop} />}
      <FigureSummary pop={pop} more={[['Photos waiting', formatCount(pop.photosWaiting)]]} />
      <LiveFigures program={program} />
      <ProgramMails program={program} />
      <p>
        <RowLink uid={pop.uid} to="/client-pop">
          Open in POP
        </RowLink>
      </p>
    </Stack>
  )
}
