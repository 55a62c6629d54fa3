import { adLog } from '@roadshow/contract/proof/reports'
import { lazy, Suspense } from 'react'
import { useMay } from '../../api/user.ts'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { ViewLinks } from '../../ui/ViewLinks.tsx'
import { AdLogReport } from './AdLogReport.tsx'
import { ReportFrame } from './ReportFrame.tsx'

const UnassignedPlays = lazy(() => import('./UnassignedPlays.tsx'))

const UNASSIGNED = 'unassigned'
const views = { plays: 'Plays', [UNASSIGNED]: 'Unassigned' }
/** The filters that both lists understand. */
const SHARED_FILTERS = ['program', 'truck', 'from', 'to'] as const

/** The plays of a program and, for staff, the plays that belong to no shift. */
export default function AdLogPage() {
  const [view] = useSearchParam('view')
  const mayListUnassigned = useMay(adLog.unassigned)
  const isUnassigned = mayListUnassigned && view === UNASSIGNED
  return (
    <>
      {mayListUnassigned && (
        <ViewLinks
          label="Lists of the ad log"
          views={views}
          current={isUnassigned ? UNASSIGNED : 'plays'}
          kept={SHARED_FILTERS}
        />
      )}
      {isUnassigned ? (
        <Suspense>
          <UnassignedPlays />
        </Suspense>
      ) : (
        <ReportFrame
          calls={adLog}
          needsMarket={false}
          nothing="No plays yet. They appear here as players report them."
          choose="Choose a program to see its plays."
        >
          {(filters) => <AdLogReport filters={filters} />}
        </ReportFrame>
      )}
    </>
  )
}
