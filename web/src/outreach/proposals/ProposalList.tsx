import { formatDay, formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { salesProposals, salesProposalStateLabel } from '@roadshow/contract/outreach/proposals'
import type { SalesProposal, SalesProposalState } from '@roadshow/contract/outreach/proposals'
import { Alert, Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useDownload } from '../../api/useDownload.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { List, Row, Soft } from '../../ui/layout.tsx'
import styles from './proposals.module.css'
import { lazyOverlay } from '../../ui/lazyPart.tsx'

const SentProposal = lazyOverlay(() => import('./SentProposal.tsx'))

const stateTone: Record<SalesProposalState, Tone> = {
  open: 'parked',
  accepted: 'driving',
  expired: 'silent',
  ended: 'silent',
}

interface ProposalListProps {
  proposals: readonly SalesProposal[]
}

/** The proposals of a program, newest first. */
export function ProposalList({ proposals }: ProposalListProps) {
  if (proposals.length === 0) return <p>No proposals yet.</p>
  return (
    <List above={4} className={styles.proposals}>
      {proposals.map((proposal) => (
        <ProposalRow key={proposal.uid} proposal={proposal} />
      ))}
    </List>
  )
}

interface ProposalRowProps {
  proposal: SalesProposal
}

function ProposalRow({ proposal }: ProposalRowProps) {
  const { number, title, state, views, lastViewedAt, isOutdated, endedAt } = proposal
  return (
    <li>
      <p className={styles.name}>
        <b>
          {number}. {title}
        </b>
        <StateTag tone={stateTone[state]}>{salesProposalStateLabel[state]}</StateTag>
      </p>
      <Acceptance proposal={proposal} />
      <p className="figures">
        {countOf(views, 'view')}
        {lastViewedAt && `, last ${formatDateTime(lastViewedAt, localZone())}`}
      </p>
      <Soft as="p" className="figures">
        {sentWords(proposal)}
      </Soft>
      {isOutdated && (state === 'open' || state === 'accepted') && (
        <Alert
          type="warning"
          showIcon
          className={styles.outdated ?? ''}
          title={
            state === 'open'
              ? 'The program changed since. The client still reads the old one: send a new proposal.'
              : 'The program changed since it was accepted.'
          }
        />
      )}
      <ProposalActs proposal={proposal} isRevocable={endedAt === null} />
    </li>
  )
}

const sentWords = ({ createdAt, createdBy, validUntil, showsPrices, endedAt, endedBy }: SalesProposal): string =>
  [
    `Created ${formatDateTime(createdAt, localZone())} by ${createdBy.name}`,
    showsPrices ? 'with prices' : 'without prices',
    `valid through ${formatDay(validUntil)}`,
    ...(endedAt ? [`revoked ${formatDateTime(endedAt, localZone())} by ${endedBy?.name ?? ''}`] : []),
  ].join(' · ')

function Acceptance({ proposal: { acceptance } }: { proposal: SalesProposal }) {
  if (!acceptance) return null
  return (
    <>
      <p className="figures">
        Accepted by <b>{acceptance.name}</b>, {formatDateTime(acceptance.at, localZone())}
      </p>
      {acceptance.note && <blockquote className={styles.note}>{acceptance.note}</blockquote>}
    </>
  )
}

function ProposalActs({ proposal, isRevocable }: ProposalRowProps & { isRevocable: boolean }) {
  const { uid, number } = proposal
  const [isOpen, setIsOpen] = useState(false)
  const { busy, refused, fetch } = useDownload()
  return (
    <>
      {refused && <Alert type="error" role="alert" title={refused} />}
      <Row gap={2} wrap above={2}>
        <Button onClick={() => setIsOpen(true)} aria-label={`View proposal ${number}`}>
          View
        </Button>
        <Button
          loading={busy === 'pdf'}
          aria-label={`Download PDF of proposal ${number}`}
          onClick={() => void fetch('pdf', salesProposals.pdf, { params: { uid } })}
        >
          Download PDF
        </Button>
        {isRevocable && <RevokeProposal proposal={proposal} />}
      </Row>
      {isOpen && <SentProposal uid={uid} title={`Proposal ${number}`} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function RevokeProposal({ proposal: { uid, number, acceptance } }: ProposalRowProps) {
  const [asking, setAsking] = useState(false)
  const end = useSave(salesProposals.end)
  const mayEnd = useMay(salesProposals.end)
  const notice = useNotice()
  const act = async () => {
    try {
      await end.mutateAsync({ params: { uid } })
      notice('The proposal is revoked.')
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setAsking(false)
  }
  if (!mayEnd) return null
  return (
    <>
      <Button danger onClick={() => setAsking(true)} aria-label={`Revoke proposal ${number}`}>
        Revoke
      </Button>
      <Confirm
        open={asking}
        question={`Revoke proposal ${number}?`}
        text={`The page closes at once for everyone who has the link. ${acceptance ? 'The acceptance stays on record.' : 'It can no longer be accepted.'} This can’t be undone.`}
        act="Revoke"
        busy={end.isPending}
        onAct={() => void act()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
