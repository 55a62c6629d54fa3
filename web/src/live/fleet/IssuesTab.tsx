import { fleet } from '@roadshow/contract/live/fleet'
import { RelatedRows } from '../../ui/RelatedRows.tsx'
import { issueColumns } from './issueColumns.tsx'

/** The open issues of a truck, for a tab of its drawer; each opens in the overview. */
export const IssuesTab = ({ truckUid }: { truckUid: string }) => (
  <RelatedRows
    screen={['/overview', 'Overview']}
    list={fleet.issues}
    query={{ truck: truckUid }}
    columns={issueColumns}
    without={['truck']}
    empty="No open issues."
  />
)
