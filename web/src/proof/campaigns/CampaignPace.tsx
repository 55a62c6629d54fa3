import type { ProgramDelivery } from '@roadshow/contract/proof/delivery'
import { paceStateLabel } from '@roadshow/contract/proof/delivery-words'
import { useId } from 'react'
import { DeliveryLines, PaceTag } from '../delivery/DeliveryLines.tsx'
import styles from './campaigns.module.css'

/** Whether a campaign is on pace: the line furthest behind in short, and every line. */
export function CampaignPace({ delivery: { program, lines, state, pace } }: { delivery: ProgramDelivery }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>Pace</h3>
      {lines.length === 0 ? (
        <p className={styles.soft}>{paceStateLabel.none}.</p>
      ) : (
        <>
          <p className={styles.pace}>
            <PaceTag state={state} pace={pace} />
          </p>
          <DeliveryLines program={program.uid} lines={lines} />
        </>
      )}
    </section>
  )
}
