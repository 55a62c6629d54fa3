import type { Program } from '@roadshow/contract/catalog/programs'
import { salesProposals } from '@roadshow/contract/outreach/proposals'
import { Button } from 'antd'
import { useState } from 'react'
import { useDetails } from '../../api/useDetails.ts'
import { useMay } from '../../api/user.ts'
import { Soft } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { ProposalList } from './ProposalList.tsx'
import styles from './proposals.module.css'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

const NewProposal = lazyOverlay(() => import('./NewProposal.tsx'))

/** The proposals of a program: those that were sent, and a new one. */
export function ProposalsTab({ program }: { program: Program }) {
  const [isNew, setIsNew] = useState(false)
  const found = useDetails(salesProposals.list, program.uid)
  const maySend = useMay(salesProposals.create)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={6} />
  const { blocker, contacts, proposals } = found.data
  return (
    <div className={styles.tab}>
      <p>
        <Soft>
          A proposal shows the client what this program offers: markets, booked lines, artwork on the truck and places.
          It is frozen when you create it, and the client accepts it with a name.
        </Soft>
      </p>
      {maySend && blocker === null && (
        <p>
          <Button type="primary" onClick={() => setIsNew(true)}>
            New proposal
          </Button>
        </p>
      )}
      {maySend && blocker !== null && <p role="note">{blocker}</p>}
      <ProposalList proposals={proposals} />
      {isNew && <NewProposal program={program} contacts={contacts} onClose={() => setIsNew(false)} />}
    </div>
  )
}
