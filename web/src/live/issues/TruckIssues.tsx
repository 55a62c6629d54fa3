import { fleet } from '@roadshow/contract/live/fleet'
import { issueWork } from '@roadshow/contract/live/issue-work'
import { Button } from 'antd'
import { useIsOutsider } from '../../api/user.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import { Soft } from '../../ui/layout.tsx'
import { useListState } from '../../ui/useListState.ts'
import { issueColumns, issueFilters, staffIssueFilters } from './issueColumns.tsx'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const IssueDrawer = lazyForm(() => import('./IssueDrawer.tsx'))

export default function TruckIssues() {
  const { query, ask } = useListState(fleet.issues)
  const isOutsider = useIsOutsider()
  return (
    <>
      {(query.shift !== undefined || query.truck !== undefined) && (
        <p>
          <Soft>
            Only issues of one {query.shift === undefined ? 'truck' : 'shift'}.{' '}
            <Button size="small" onClick={() => ask({ shift: undefined, truck: undefined, status: undefined })}>
              Show all open issues
            </Button>
          </Soft>
        </p>
      )}
      <DataTable
        nouns={['issue', 'issues']}
        list={fleet.issues}
        columns={issueColumns}
        filters={isOutsider ? issueFilters : staffIssueFilters}
        create={issueWork.raise}
        form={IssueDrawer}
        empty="No issues. What drivers report and what the console notices about trucks appears here."
      />
    </>
  )
}
