import { campaignLinks, campaignLinkStateLabel } from '@roadshow/contract/proof/campaign-links'
import type { CampaignLink, CampaignLinkState } from '@roadshow/contract/proof/campaign-links'
import { formatMinutes, formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { useMay } from '../../../api/user.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { StateTag } from '../../../ui/text/StateTag.tsx'
import type { Tone } from '../../../ui/text/StateTag.tsx'
import { List, Row, Soft } from '../../../ui/layout.tsx'
import styles from './LinkList.module.css'

const stateTone: Record<CampaignLinkState, Tone> = { open: 'driving', expired: 'silent', ended: 'silent' }

/** The links of a campaign, with their views and the way to revoke them. */
export function LinkList({ links }: { links: readonly CampaignLink[] }) {
  if (links.length === 0) return <p>No links yet.</p>
  return (
    <List above={4} className={styles.links}>
      {links.map((link) => (
        <LinkRow key={link.uid} link={link} />
      ))}
    </List>
  )
}

interface LinkRowProps {
  link: CampaignLink
}

function LinkRow({ link }: LinkRowProps) {
  const { label, state, createdBy, createdAt, expiresAt, endedAt, endedBy, views, lastViewedAt, delayMinutes } = link
  return (
    <li>
      <Row as="p" gap={3} lineGap={0} wrap between>
        <b>{label || 'No label'}</b>
        <StateTag tone={stateTone[state]}>{campaignLinkStateLabel[state]}</StateTag>
      </Row>
      <p className="figures">
        {countOf(views, 'view')}
        {lastViewedAt && `, last ${formatDateTime(lastViewedAt, localZone())}`}
      </p>
      <Soft as="p" className="figures">
        Created {formatDateTime(createdAt, localZone())} by {createdBy.name} · positions {formatMinutes(delayMinutes)}{' '}
        late ·{' '}
        {endedAt
          ? `revoked ${formatDateTime(endedAt, localZone())} by ${endedBy?.name ?? ''}`
          : `${state === 'expired' ? 'expired' : 'expires'} ${formatDateTime(expiresAt, localZone())}`}
      </Soft>
      {state === 'open' && <RevokeLink link={link} />}
    </li>
  )
}

function RevokeLink({ link: { uid, label } }: LinkRowProps) {
  const [asking, setAsking] = useState(false)
  const end = useSave(campaignLinks.end)
  const mayEnd = useMay(campaignLinks.end)
  const notice = useNotice()
  const act = async () => {
    try {
      await end.mutateAsync({ params: { uid } })
      notice('The link is revoked.')
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setAsking(false)
  }
  if (!mayEnd) return null
  return (
    <>
      <Button danger onClick={() => setAsking(true)}>
        Revoke
      </Button>
      <Confirm
        open={asking}
        question={`Revoke ${label || 'this link'}?`}
        text="The page closes at once for everyone who has the link. This can’t be undone."
        act="Revoke"
        busy={end.isPending}
        onAct={() => void act()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
