import type { Motion } from '@roadshow/contract/live/fleet'
import type { Campaign, CampaignTruck } from '@roadshow/contract/proof/campaigns'
import { replays } from '@roadshow/contract/proof/replay'
import { Link } from '@tanstack/react-router'
import { useId, useMemo } from 'react'
import { useMay } from '../../api/user.ts'
import { Row } from '../../ui/layout.tsx'
import { SpotMap } from '../../ui/map/SpotMap.tsx'
import type { Spot } from '../../ui/map/spots.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import type { Tone } from '../../ui/text/StateTag.tsx'
import styles from './campaigns.module.css'

const motionWord: Record<Motion, string> = { moving: 'Driving', parked: 'Parked', silent: 'No signal' }
const motionTone: Record<Motion, Tone> = { moving: 'driving', parked: 'parked', silent: 'silent' }

function spotOf({ uid, market, motion, latitude, longitude, heading }: CampaignTruck): Spot[] {
  if (latitude === null || longitude === null) return []
  return [
    {
      id: uid,
      name: market,
      text: motionWord[motion],
      tone: motionTone[motion],
      latitude,
      longitude,
      heading,
      shape: motion === 'silent' ? 'ring' : motion === 'moving' && heading !== null ? 'arrow' : 'disc',
      isUrgent: false,
    },
  ]
}

/** The trucks in a sentence: `3 trucks on the road: 2 driving, 1 parked.` */
export function trucksSentence(trucks: readonly CampaignTruck[]): string {
  if (trucks.length === 0) return 'No truck is on the road right now.'
  const words = (Object.keys(motionWord) as Motion[]).flatMap((motion) => {
    const count = trucks.filter((truck) => truck.motion === motion).length
    return count > 0 ? [`${count} ${motionWord[motion].toLowerCase()}`] : []
  })
  const hidden = trucks.filter(({ latitude }) => latitude === null).length
  const note =
    hidden > 0 ? ` ${hidden === trucks.length ? 'No position to show yet.' : `${hidden} without a position.`}` : ''
  return `${countOf(trucks.length, 'truck')} on the road: ${words.join(', ')}.${note}`
}

/** The shifts of the trucks that are out, minute by minute. Clients know trucks by their market only. */
function TruckReplays({ trucks }: { trucks: readonly CampaignTruck[] }) {
  const mayReplay = useMay(replays.get)
  if (!mayReplay || trucks.length === 0) return null
  return (
    <Row as="ul" gap={3} wrap aria-label="Replay">
      {trucks.map(({ uid, market }) => {
        const beside = trucks.filter((each) => each.market === market)
        return (
          <li key={uid}>
            <Link to="/replay" search={{ shift: uid }}>
              Replay {market}
              {beside.length > 1 && `, truck ${beside.findIndex((each) => each.uid === uid) + 1}`}
            </Link>
          </li>
        )
      })}
    </Row>
  )
}

/** Where the trucks of a campaign are now. */
export function CampaignMap({
  campaign,
  trucks,
}: {
  campaign: Campaign
  trucks: readonly CampaignTruck[] | undefined
}) {
  const heading = useId()
  const spots = useMemo(() => (trucks ?? []).flatMap(spotOf), [trucks])
  return (
    <section className={styles.map} aria-labelledby={heading}>
      <h3 id={heading}>Trucks now</h3>
      <p aria-live="polite">
        {trucks ? trucksSentence(trucks) : `${countOf(campaign.trucksOut, 'truck')} on the road.`}
      </p>
      <TruckReplays trucks={trucks ?? []} />
      {spots.length > 0 && <SpotMap label={`Map of the trucks of ${campaign.name}`} spots={spots} height={280} />}
    </section>
  )
}
