import { delivery } from '@roadshow/contract/proof/delivery'
import type { CampaignBehind } from '@roadshow/contract/proof/delivery'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import { RowLink } from '../../ui/rows/RowLink.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { DeliveryLines, PaceTag } from './DeliveryLines.tsx'
import { MakeUpShifts } from './MakeUpShifts.tsx'
import styles from './CampaignsBehind.module.css'

function Campaign({ campaign: { client, delivery, issues } }: { campaign: CampaignBehind }) {
  const { program, lines, state, pace } = delivery
  return (
    <li className={styles.campaign}>
      <Row gap={3} lineGap={1} align="baseline" wrap className={styles.head}>
        <h3>
          <RowLink uid={program.uid} to="/client-programs">
            {program.name}
          </RowLink>
        </h3>
        <Soft>{client.name}</Soft>
        <PaceTag state={state} pace={pace} />
      </Row>
      <DeliveryLines program={program.uid} lines={lines.filter((line) => line.state === 'behind')} />
      {issues.map((issue) => (
        <MakeUpShifts key={issue.uid} issue={issue} program={program.name} />
      ))}
    </li>
  )
}

/** Campaigns that have delivered less than was booked for their days so far, with the shifts that would make it up. */
export default function CampaignsBehind() {
  const may = useMay(delivery.behind)
  const found = useCall(delivery.behind, {}, { enabled: may })
  if (!may) return null
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  if (found.data.length === 0) return <p className={styles.calm}>No campaign is behind.</p>
  return (
    <>
      <p className={styles.count}>{countOf(found.data.length, 'campaign')} behind</p>
      <ul className={styles.campaigns}>
        {found.data.map((campaign) => (
          <Campaign key={campaign.delivery.program.uid} campaign={campaign} />
        ))}
      </ul>
    </>
  )
}
