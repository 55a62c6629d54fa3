import type { ProgramDelivery } from '@roadshow/contract/proof/delivery'
import { paceStateLabel } from '@roadshow/contract/proof/delivery-words'
import { useId } from 'react'
import { Soft } from '../../ui/layout.tsx'
import { DeliveryLines, PaceTag } from '../delivery/DeliveryLines.tsx'
import styles from './campaigns.module.css'

/** Whether a campaign is on pace, in short: by the line furthest behind. */
export function CampaignPace({ delivery: { lines, state, pace } }: { delivery: ProgramDelivery }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>Pace</h3>
      {lines.length === 0 ? (
        <Soft as="p">{paceStateLabel.none}.</Soft>
      ) : (
        <p className={styles.pace}>
          <PaceTag state={state} pace={pace} />
        </p>
      )}
    </section>
  )
}

/** Every booked line with what is delivered of it. */
export function CampaignLines({ delivery: { program, lines } }: { delivery: ProgramDelivery }) {
  const heading = useId()
  if (lines.length === 0) return null
  return (
    <section aria-labelledby={heading} className={styles.lines}>
      <h3 id={heading}>Booked and delivered</h3>
      <DeliveryLines program={program.uid} lines={lines} />
    </section>
  )
}
