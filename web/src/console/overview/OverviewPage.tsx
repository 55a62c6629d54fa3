import { shiftStages } from '@roadshow/contract/live/fleet'
import { isOutsider } from '@roadshow/contract/platform/permissions'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '../../api/user.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { InView, LaterBones } from '../../ui/InView.tsx'
import { LivePart } from '../../live/fleet/LivePart.tsx'
import { UndeliveredNotice } from '../../outreach/messages/UndeliveredNotice.tsx'
import { Stack } from '../../ui/layout.tsx'
import styles from './OverviewPage.module.css'
import { lazyPart } from '../../ui/lazyPart.tsx'

const waiting = { waiting: () => <LaterBones /> }
const ShiftsOfDay = lazyPart(() => import('../../live/fleet/ShiftsOfDay.tsx'), waiting)
const TruckIssues = lazyPart(() => import('../../live/issues/TruckIssues.tsx'), waiting)
const NewestPhotos = lazyPart(() => import('./NewestPhotos.tsx'), waiting)
const PhotosWaiting = lazyPart(() => import('./PhotosWaiting.tsx'), { waiting: () => null })
const SetupLink = lazyPart(() => import('../setup/SetupLink.tsx'), { waiting: () => null, failed: () => null })
const BusinessStrip = lazyPart(() => import('./BusinessStrip.tsx'), {
  waiting: () => <div className={styles.business} />,
})
const CampaignsBehind = lazyPart(() => import('../../proof/delivery/CampaignsBehind.tsx'), waiting)

interface PartProps {
  id: string
  title: string
  /** Shows the part before the user scrolls to it. */
  isAsked?: boolean
  children: ReactNode
}

/** A part of the page below the live one, under its heading. */
const Part = ({ id, title, isAsked = false, children }: PartProps) => (
  <Stack as="section" gap={3} className={styles.part} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <InView isAsked={isAsked}>{children}</InView>
  </Stack>
)

export default function OverviewPage() {
  const isStaff = !isOutsider(useUser())
  const [asked, setStage] = useSearchParam('stage')
  const stage = shiftStages.find((each) => each === asked)
  // The address names a truck of the map (live), shifts of the day and figures of the business; the rest is about the issues.
  const { live: _, stage: _shifts, business: _open, ...ofIssues } = useSearch({ strict: false }) as UrlSearch
  return (
    <>
      <UndeliveredNotice />
      {isStaff && <SetupLink />}
      {isStaff && <BusinessStrip />}
      <LivePart stage={stage} onStage={setStage} figures={isStaff && <PhotosWaiting />} />
      <Part id="shifts-of-the-day" title="Shifts of the day" isAsked={stage !== undefined}>
        <ShiftsOfDay stage={stage} onStage={setStage} />
      </Part>
      <Part id="truck-issues" title="Truck issues" isAsked={Object.keys(ofIssues).length > 0}>
        <TruckIssues />
      </Part>
      {isStaff && (
        <Part id="campaigns" title="Campaigns behind">
          <CampaignsBehind />
        </Part>
      )}
      <Part id="newest-photos" title="Newest photos">
        <NewestPhotos />
      </Part>
    </>
  )
}
