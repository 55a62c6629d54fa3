import { fleet } from '@roadshow/contract/fleet'
import type { ShiftStage } from '@roadshow/contract/fleet'
import { lazy, useState } from 'react'
import { DataTable } from '../ui/DataTable.tsx'
import { issueColumns, issueFilters } from './issueColumns.tsx'
import { LivePart } from './LivePart.tsx'
import { ShiftsOfDay } from './ShiftsOfDay.tsx'
import { useRefresh } from './useRefresh.ts'
import styles from './overview.module.css'

const IssueDrawer = lazy(() => import('./IssueDrawer.tsx'))

export default function OverviewPage() {
  useRefresh()
  const [stage, setStage] = useState<ShiftStage>()
  return (
    <>
      <LivePart stage={stage} onStage={setStage} />
      <section className={styles.part} aria-labelledby="shifts-of-the-day">
        <h2 id="shifts-of-the-day">Shifts of the day</h2>
        <ShiftsOfDay stage={stage} onStage={setStage} />
      </section>
      <section className={styles.part} aria-labelledby="truck-issues">
        <h2 id="truck-issues">Truck issues</h2>
        <DataTable
          nouns={['issue', 'issues']}
          list={fleet.issues}
          columns={issueColumns}
          filters={issueFilters}
          form={IssueDrawer}
          empty="Nothing is wrong with any truck."
        />
      </section>
    </>
  )
}
