import type { ShiftStage } from '@roadshow/contract/live/fleet'
import { useSearch } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import type { UrlSearch } from '../../ui/useListState.ts'
import { InView } from '../../ui/InView.tsx'
import { LivePart } from '../../live/fleet/LivePart.tsx'
import { useRefresh } from '../../live/fleet/useRefresh.ts'
import { UndeliveredNotice } from '../../outreach/messages/UndeliveredNotice.tsx'
import styles from './OverviewPage.module.css'

const ShiftsOfDay = lazy(() => import('../../live/fleet/ShiftsOfDay.tsx'))
const TruckIssues = lazy(() => import('../../live/fleet/TruckIssues.tsx'))
const NewestPhotos = lazy(() => import('./NewestPhotos.tsx'))

export default function OverviewPage() {
  useRefresh()
  const [stage, setStage] = useState<ShiftStage>()
  // The address names a truck of the map (live); everything else in it is about the issues.
  const { live: _, ...ofIssues } = useSearch({ strict: false }) as UrlSearch
  return (
    <>
      <UndeliveredNotice />
      <LivePart stage={stage} onStage={setStage} />
      <section className={styles.part} aria-labelledby="shifts-of-the-day">
        <h2 id="shifts-of-the-day">Shifts of the day</h2>
        <InView isAsked={stage !== undefined}>
          <ShiftsOfDay stage={stage} onStage={setStage} />
        </InView>
      </section>
      <section className={styles.part} aria-labelledby="truck-issues">
        <h2 id="truck-issues">Truck issues</h2>
        <InView isAsked={Object.keys(ofIssues).length > 0}>
          <TruckIssues />
        </InView>
      </section>
      <section className={styles.part} aria-labelledby="newest-photos">
        <h2 id="newest-photos">Newest photos</h2>
        <InView isAsked={false}>
          <NewestPhotos />
        </InView>
      </section>
    </>
  )
}
