import { campaignPhaseLabel } from '@roadshow/contract/proof/campaigns'
import { useState } from 'react'
import { useIsOutsider } from '../../api/user.ts'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { PaceTag } from '../delivery/DeliveryLines.tsx'
import { CampaignCard, phaseTone } from './CampaignCard.tsx'
import type { CampaignCardProps } from './CampaignCard.tsx'
import styles from './campaigns.module.css'

/** One of several campaigns on a phone: a row that opens. */
export function CampaignRow(card: CampaignCardProps) {
  const [isOpen, setOpen] = useState(false)
  const isOutside = useIsOutsider()
  const { name, phase, delivery } = card.campaign
  return (
    <details className={styles.row} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className={styles.rowName}>{name}</span>
        {isOutside || delivery.state === 'none' ? (
          <StateTag tone={phaseTone[phase]}>{campaignPhaseLabel[phase]}</StateTag>
        ) : (
          <PaceTag {...delivery} />
        )}
      </summary>
      {isOpen && <CampaignCard {...card} />}
    </details>
  )
}
