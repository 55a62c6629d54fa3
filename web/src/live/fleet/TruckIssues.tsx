import { fleet } from '@roadshow/contract/live/fleet'
import { lazy } from 'react'
import { DataTable } from '../../ui/DataTable.tsx'
import { issueColumns, issueFilters } from './issueColumns.tsx'

const IssueDrawer = lazy(() => import('./IssueDrawer.tsx'))

export default function TruckIssues() {
  return (
    <DataTable
      nouns={['issue', 'issues']}
      list={fleet.issues}
      columns={issueColumns}
      filters={issueFilters}
      form={IssueDrawer}
      empty="No issues."
    />
  )
}
