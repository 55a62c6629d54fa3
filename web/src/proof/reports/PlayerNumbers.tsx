import { adLog } from '@roadshow/contract/proof/ad-log'
import type { DeviceAccount } from '@roadshow/contract/proof/ad-log'
import { Button } from 'antd'
import { useState } from 'react'
import { Soft, Stack } from '../../ui/layout.tsx'
import { useCall } from '../../api/useCall.ts'
import { countOf, formatCount } from '../../ui/numbers.ts'
import { ErrorState, SkeletonLine } from '../../ui/states.tsx'
import { formatDayTime } from '../../ui/time.ts'
import styles from './PlayerNumbers.module.css'

const usedText = ({ used, stored, missing, rejected }: DeviceAccount) =>
  `${countOf(used, 'number')} used: ${formatCount(stored)} stored, ${formatCount(missing)} missing, ${formatCount(rejected)} rejected.`

/** Every number that a player has used for its plays, and those that are not stored. */
export function PlayerNumbers({ device }: { device: { uid: string } }) {
  const [isOpen, setOpen] = useState(false)
  const found = useCall(adLog.device, { params: { uid: device.uid } })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const { data: account } = found
  if (!account) return <SkeletonLine />
  if (account.used === 0) return <p className={styles.text}>No plays reported yet.</p>
  const isComplete = account.missing === 0 && account.rejected === 0
  return (
    <Stack gap={2} className={styles.numbers}>
      <p className={styles.text}>
        {usedText(account)}{' '}
        {!isComplete && (
          <Button type="link" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide details' : 'Show details'}
          </Button>
        )}
      </p>
      {isOpen && account.missing > 0 && <Gaps account={account} />}
      {isOpen && account.rejected > 0 && <Rejections account={account} />}
    </Stack>
  )
}

type Gap = DeviceAccount['gaps'][number]

const numbersIn = ({ from, to }: Gap) => to - from + 1
const gapText = ({ from, to }: Gap) =>
  from === to ? formatCount(from) : `${formatCount(from)}–${formatCount(to)} (${formatCount(to - from + 1)})`

/** A list holds the newest; the others are only counted. */
const MoreText = ({ listed, of }: { listed: number; of: number }) =>
  listed < of && (
    <Soft as="p" small className="figures">
      The newest {formatCount(listed)} of {formatCount(of)} are listed.
    </Soft>
  )

const Gaps = ({ account: { gaps, missing } }: { account: DeviceAccount }) => (
  <section aria-label="Missing numbers">
    <h3>Missing</h3>
    <Soft as="p" small className="figures">
      Numbers that never arrived although later ones did.
    </Soft>
    <ul className={`${styles.gaps} figures`}>
      {gaps.map((gap) => (
        <li key={gap.from}>{gapText(gap)}</li>
      ))}
    </ul>
    <MoreText listed={gaps.reduce((sum, gap) => sum + numbersIn(gap), 0)} of={missing} />
  </section>
)

const Rejections = ({ account: { rejections, rejected } }: { account: DeviceAccount }) => (
  <section aria-label="Rejected numbers">
    <h3>Rejected</h3>
    <table className={`${styles.rejections} figures`} aria-label="Rejected plays">
      <thead>
        <tr>
          <th scope="col">Number</th>
          <th scope="col">Played</th>
          <th scope="col">Reason</th>
        </tr>
      </thead>
      <tbody>
        {rejections.map(({ sequence, at, reason }) => (
          <tr key={sequence}>
            <th scope="row">{formatCount(sequence)}</th>
            <td>{formatDayTime(at)}</td>
            <td>{reason}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <MoreText listed={rejections.length} of={rejected} />
  </section>
)
