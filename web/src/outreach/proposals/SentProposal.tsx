import { LARGE_DRAWER_WIDTH } from '@roadshow/contract/platform/constants'
import { salesProposals } from '@roadshow/contract/outreach/proposals'
import { Drawer } from 'antd'
import { useCall } from '../../api/useCall.ts'
import { Soft } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { ProposalFrame } from './ProposalFrame.tsx'
import styles from './proposals.module.css'

interface SentProposalProps {
  uid: string
  title: string
  onClose: () => void
}

/** A proposal as it was sent, and the record of who accepted it. */
export default function SentProposal({ uid, title, onClose }: SentProposalProps) {
  const found = useCall(salesProposals.page, { params: { uid } })
  return (
    <Drawer open onClose={onClose} size={LARGE_DRAWER_WIDTH} title={title}>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <SkeletonLines rows={11} />}
      {found.data && (
        <>
          {found.data.proposal.acceptance && (
            <dl className={styles.record} aria-label="Acceptance">
              <Soft as="dt">Accepted by</Soft>
              <dd>{found.data.proposal.acceptance.name}</dd>
              <Soft as="dt">Accepted</Soft>
              <dd>{formatDateTime(found.data.proposal.acceptance.at, localZone())}</dd>
              {found.data.proposal.acceptance.note && (
                <>
                  <Soft as="dt">Note</Soft>
                  <dd>{found.data.proposal.acceptance.note}</dd>
                </>
              )}
              <Soft as="dt">Document</Soft>
              <dd>
                <code>SHA-256 {found.data.proposal.sha256}</code>
              </dd>
            </dl>
          )}
          <ProposalFrame html={found.data.html} title={title} />
        </>
      )}
    </Drawer>
  )
}
