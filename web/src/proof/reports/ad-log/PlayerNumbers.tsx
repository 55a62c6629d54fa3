import { adLog } from '@roadshow/contract/proof/ad-log'
import type { DeviceAccount } from '@roadshow/contract/proof/ad-log'
import { Button } from 'antd'
import { useState } from 'react'
import { Soft, Stack } from '../../../ui/layout.tsx'
import { useCall } from '../../../api/useCall.ts'
import { FactTable } from '../../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../../ui/rows/FactTable.tsx'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { ErrorState, SkeletonLine } from '../../../ui/states.tsx'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import { JumpQuestion } from './JumpQuestion.tsx'
import styles from './PlayerNumbers.module.css'

const usedText = ({ used, stored, missing, rejected, duplicates }: DeviceAccount) =>
  `${countOf(used, 'number')} used: ${formatCount(stored)} stored, ${formatCount(missing)} missing, ${formatCount(rejected)} rejected${
    duplicates > 0 ? `, ${countOf(duplicates, 'duplicate')}` : ''
  }.`

/** Every number that a player has used for its plays, and those that are not stored. */
export function PlayerNumbers({ device }: { device: { uid: string } }) {
  const [isOpen, setOpen] = useState(false)
  const found = useCall(adLog.device, { params: { uid: device.uid } })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const { data: account } = found
  if (!account) return <SkeletonLine />
  if (account.used === 0) return <p className={styles.text}>No plays reported yet.</p>
  const { missing, rejected, duplicates, skipped } = account
  const isComplete = missing + rejected + duplicates + skipped.length === 0
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
      {account.jumps.map((jump) => (
        <section key={jump.from} aria-label="Counter jump">
          <p className={styles.text}>
            The counter jumped from {formatCount(jump.from - 1)} to {formatCount(jump.to + 1)}. Are these numbers
            missing?
          </p>
          <JumpQuestion deviceUid={device.uid} {...jump} />
        </section>
      ))}
      {isOpen && missing > 0 && <Gaps account={account} />}
      {isOpen && account.lost.length + skipped.length > 0 && <DecidedJumps deviceUid={device.uid} account={account} />}
      {isOpen && rejected + duplicates > 0 && <Rejections account={account} />}
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

/** Jumps that someone has decided on. A decision can be changed. */
const DecidedJumps = ({ deviceUid, account }: { deviceUid: string; account: DeviceAccount }) => (
  <section aria-label="Counter jumps">
    <h3>Counter jumps</h3>
    <ul className={`${styles.gaps} figures`}>
      {account.lost.map((jump) => (
        <li key={jump.from}>
          {gapText(jump)}: counted as missing <JumpQuestion deviceUid={deviceUid} {...jump} answers={['set']} />
        </li>
      ))}
      {account.skipped.map((jump) => (
        <li key={jump.from}>
          {gapText(jump)}: the counter was set <JumpQuestion deviceUid={deviceUid} {...jump} answers={['missing']} />
        </li>
      ))}
    </ul>
  </section>
)

const rejectionColumns: FactColumn<DeviceAccount['rejections'][number]>[] = [
  { title: 'Number', render: ({ sequence }) => formatCount(sequence) },
  { title: 'Played', render: ({ at }) => formatMoment(at, localZone()) },
  { title: 'Reason', render: ({ reason }) => reason },
]

const Rejections = ({ account: { rejections, rejected, duplicates } }: { account: DeviceAccount }) => (
  <section aria-label="Rejected numbers">
    <h3>{duplicates > 0 ? 'Rejected and duplicate' : 'Rejected'}</h3>
    <FactTable label="Rejected plays" columns={rejectionColumns} rows={rejections} rowKey={(_, index) => index} />
    <MoreText listed={rejections.length} of={rejected + duplicates} />
  </section>
)
