import { fleet } from '@roadshow/contract/live/fleet'
import { Button } from 'antd'
import { lazy } from 'react'
import { DataTable } from '../../ui/DataTable.tsx'
import { useListState } from '../../ui/useListState.ts'
import { issueColumns, issueFilters } from './issueColumns.tsx'
import shared from './overview.module.css'

const IssueDrawer = lazy(() => import('./IssueDrawer.tsx'))

export default function TruckIssues() {
  const { query, ask } = useListState(fleet.issues)
  return (
    <>
      {(query.shift !== undefined || query.truck !== undefined) && (
        <p className={shared.soft}>
          Only issues of one {query.shift === undefined ? 'truck' : 'shift'}.{' '}
          <Button size="small" onClick={() => ask({ shift: undefined, truck: undefined, status: undefined })}>
            Show all open issues
          </Button>
        </p>
      )}
      <DataTable
        nouns={['issue', 'issues']}
        list={fleet.issues}
        columns={issueColumns}
        filters={issueFilters}
        form={IssueDrawer}
        empty="No issues."
      />
    </>
  )
}
