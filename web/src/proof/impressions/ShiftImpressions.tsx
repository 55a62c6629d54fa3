import { formatMinutes } from '@roadshow/contract/platform/dates'
import { impressions } from '@roadshow/contract/proof/impressions'
import type { ShiftImpressions as Estimate } from '@roadshow/contract/proof/impressions'
import { formatEstimate, impressionNote, MODELED } from '@roadshow/contract/proof/pop-figure-words'
import { useCall } from '../../api/useCall.ts'
import { Soft } from '../../ui/layout.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { MethodFiles } from './MethodFiles.tsx'
import styles from './impressions.module.css'

const minutes = (seconds: number) => formatMinutes(Math.round(seconds / 60))

/** How the time of a shift counts: `2 h 10 min of driving counted, 20 min parked.` */
function timeText({ countedSeconds, parkedSeconds, unlitSeconds }: Estimate): string {
  const parts = [
    `${minutes(countedSeconds)} of driving counted`,
    ...(parkedSeconds >= 60 ? [`${minutes(parkedSeconds)} parked`] : []),
    ...(unlitSeconds >= 60 ? [`${minutes(unlitSeconds)} at night without light`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** The estimated impressions of a shift, for its details; nothing where they are turned off. */
export function ShiftImpressions({ uid }: { uid: string }) {
  const found = useCall(impressions.shift, { params: { uid } })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data?.isOn) return null
  const estimate = found.data.impressions
  return (
    <section className={styles.estimate} aria-label="Estimated impressions">
      <h3>Estimated impressions</h3>
      {estimate ? (
        <>
          <p className={`figures ${styles.likely ?? ''}`}>{formatEstimate(estimate.likely)}</p>
          <p className="figures">{impressionNote(estimate)}</p>
          <Soft as="p">
            {estimate.isWithoutPlays
              ? 'No play was logged. An LED truck that showed nothing earns no impressions.'
              : timeText(estimate)}
          </Soft>
          <MethodFiles version={estimate.method} />
        </>
      ) : (
        <Soft as="p">No estimate: no GPS data of this shift yet. {MODELED}</Soft>
      )}
    </section>
  )
}
