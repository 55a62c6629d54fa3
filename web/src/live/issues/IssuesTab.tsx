import { fleet } from '@roadshow/contract/live/fleet'
import { issueWork } from '@roadshow/contract/live/issue-work'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/user.ts'
import { RelatedRows } from '../../ui/record/RelatedRows.tsx'
import { NEW_RECORD } from '../../ui/useListState.ts'
import { issueColumns } from './issueColumns.tsx'

/** The open issues of a truck, for a tab of its drawer; each opens in the overview, and so does the form of a new one. */
export function IssuesTab({ truckUid }: { truckUid: string }) {
  const mayRaise = useMay(issueWork.raise)
  return (
    <>
      {mayRaise && (
        <p>
          <Link to="/overview" search={{ truck: truckUid, open: NEW_RECORD }}>
            Report an issue
          </Link>
        </p>
      )}
      <RelatedRows
        screen={['/overview', 'Overview']}
        list={fleet.issues}
        query={{ truck: truckUid }}
        columns={issueColumns}
        without={['truck']}
        empty="No open issues."
      />
    </>
  )
}
