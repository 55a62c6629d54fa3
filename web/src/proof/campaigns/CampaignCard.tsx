import { programStatusLabel } from '@roadshow/contract/catalog/programs'
import { formatDays } from '@roadshow/contract/platform/dates'
import { campaignPhaseLabel } from '@roadshow/contract/proof/campaigns'
import type { Campaign, CampaignPhase, CampaignTruck } from '@roadshow/contract/proof/campaigns'
import { Button } from 'antd'
import { useId } from 'react'
import { PartBoundary } from '../../ui/PartBoundary.tsx'
import { Row } from '../../ui/layout.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { CampaignFiles } from './CampaignFiles.tsx'
import { CampaignMap } from './CampaignMap.tsx'
import { CampaignLines, CampaignPace } from './CampaignPace.tsx'
import { CampaignPhotos } from './CampaignPhotos.tsx'
import { UpcomingShifts } from './UpcomingShifts.tsx'
import { CampaignWeekPart } from './CampaignWeekPart.tsx'
import styles from './campaigns.module.css'

export const phaseTone: Record<CampaignPhase, Tone> = { running: 'driving', upcoming: 'parked', ended: 'silent' }

export interface CampaignCardProps {
  campaign: Campaign
  /** Undefined until they are known. */
  trucks: readonly CampaignTruck[] | undefined
  /** Opens the links to the public page; undefined for users who may not make any. */
  onShare: (() => void) | undefined
}

/** A campaign: where its trucks are, whether it is on pace, its week, its newest photos and what comes next. */
export function CampaignCard({ campaign, trucks, onShare }: CampaignCardProps) {
  const heading = useId()
  const { name, client, status, phase, startsOn, endsOn, markets } = campaign
  const isPaused = status === 'paused' && phase !== 'ended'
  return (
    <article className={styles.card} aria-labelledby={heading} data-phase={phase}>
      <header className={styles.head}>
        <p className={styles.client}>{client.name}</p>
        <h2 id={heading}>{name}</h2>
        <Row as="p" gap={4} lineGap={0} wrap above={1} className={styles.when}>
          <StateTag tone={isPaused ? 'warn' : phaseTone[phase]}>
            {isPaused ? programStatusLabel[status] : campaignPhaseLabel[phase]}
          </StateTag>
          <span className="figures">{formatDays(startsOn, endsOn)}</span>
          <span>{markets.map((market) => market.name).join(' · ')}</span>
        </Row>
        {onShare && (
          <Button className={styles.share ?? ''} onClick={onShare}>
            Share
          </Button>
        )}
      </header>
      <div className={styles.parts}>
        {phase === 'running' && (
          <PartBoundary>
            <CampaignMap campaign={campaign} trucks={trucks} />
          </PartBoundary>
        )}
        <CampaignPace delivery={campaign.delivery} />
        <CampaignPhotos campaign={campaign} />
        <CampaignLines delivery={campaign.delivery} />
        {phase === 'running' && <CampaignWeekPart campaign={campaign} />}
        <UpcomingShifts campaign={campaign} />
      </div>
      <CampaignFiles campaign={campaign} />
    </article>
  )
}
