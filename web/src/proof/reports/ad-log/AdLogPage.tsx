import { adLog } from '@roadshow/contract/proof/ad-log'
import { useMay } from '../../../api/user.ts'
import { useSearchParam } from '../../../ui/useSearchParam.ts'
import { ViewLinks } from '../../../ui/list/ViewLinks.tsx'
import { AdLogReport } from './AdLogReport.tsx'
import { UNASSIGNED, UNSTORED } from '../FilterLink.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { LogFilterBar } from './LogFilterBar.tsx'
import { useLogFilters } from './useLogFilters.ts'

const UnassignedPlays = lazyPart(() => import('./UnassignedPlays.tsx'))
const UnstoredPlays = lazyPart(() => import('./UnstoredPlays.tsx'))

const views = { plays: 'Plays', [UNASSIGNED]: 'Unassigned', [UNSTORED]: 'Missing and rejected' }
const lists: Partial<Record<string, typeof UnassignedPlays>> = {
  [UNASSIGNED]: UnassignedPlays,
  [UNSTORED]: UnstoredPlays,
}
/** The filters that all lists understand. */
const SHARED_FILTERS = ['program', 'truck', 'from', 'to'] as const

/** The plays of all programs or some, newest first. */
function Plays() {
  const state = useLogFilters()
  return (
    <Stack gap={4}>
      <LogFilterBar state={state} />
      {state.isComplete && <AdLogReport filters={state.filters} />}
    </Stack>
  )
}

/** The plays and, for staff, the plays that belong to no shift and the numbers that are no plays. */
export default function AdLogPage() {
  const [view] = useSearchParam('view')
  const mayListUnassigned = useMay(adLog.unassigned)
  const OtherList = mayListUnassigned ? lists[view ?? ''] : undefined
  return (
    <>
      {mayListUnassigned && (
        <ViewLinks
          label="Lists of the ad log"
          views={views}
          current={OtherList && view ? view : 'plays'}
          kept={SHARED_FILTERS}
        />
      )}
      {OtherList ? <OtherList /> : <Plays />}
    </>
  )
}
