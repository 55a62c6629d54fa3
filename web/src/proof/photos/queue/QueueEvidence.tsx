import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import type { QueuedPhoto } from '@roadshow/contract/proof/photo-queue'
import { Radio } from 'antd'
import type { ReactNode } from 'react'
import { TruckWithArtwork } from '../../../catalog/artwork/TruckWithArtwork.tsx'
import { formatShiftTime } from '../../../planning/shifts/shiftText.ts'
import { Soft, Stack } from '../../../ui/layout.tsx'
import { PlaceMap } from '../../../ui/map/PlaceMap.tsx'
import { EM_DASH } from '../../../ui/text/dash.ts'
import { photoTitle } from '../PhotoCard.tsx'
import { GradeTag } from '../photoTags.tsx'
import styles from './PhotoQueue.module.css'

interface QueueEvidenceProps {
  photo: QueuedPhoto
  marketUid: string | undefined
  /** It was to be approved without one. */
  isMarketAsked: boolean
  onMarket: (uid: string) => void
}

/** What speaks for and against a photo: its grade, where and when it was taken, and what the truck wore. */
export function QueueEvidence({ photo, marketUid, isMarketAsked, onMarket }: QueueEvidenceProps) {
  const { program, client, truck, shift, takenBy, takenAt, latitude, longitude } = photo
  const zone = photo.zone ?? localZone()
  const facts: [label: string, text: ReactNode][] = [
    ['Client', client.name],
    ['Truck', truck?.name],
    ['Driver', takenBy?.name],
    ['Taken', takenAt && formatMoment(takenAt, zone)],
    ['Shift', shift && formatShiftTime(shift)],
    ...(photo.market ? [['Market', photo.market.name] as [string, ReactNode]] : []),
  ]
  return (
    <Stack gap={3} className={styles.evidence}>
      <Stack gap={1}>
        <h3 className={styles.program}>{program.name}</h3>
        {photo.caption && <p>{photo.caption}</p>}
        <span>
          <GradeTag grade={photo.grade} /> <Soft small>{photo.reason}</Soft>
        </span>
      </Stack>
      <dl className={`figures ${styles.facts ?? ''}`}>
        {facts.map(([label, text]) => (
          <div key={label}>
            <Soft as="dt">{label}</Soft>
            <dd>{text || EM_DASH}</dd>
          </div>
        ))}
      </dl>
      {!photo.market && (
        <MarketChoice photo={photo} marketUid={marketUid} isAsked={isMarketAsked} onMarket={onMarket} />
      )}
      <Worn photo={photo} />
      {latitude !== null && longitude !== null && (
        <PlaceMap
          label="Where it was taken"
          height={160}
          places={[{ id: photo.uid, name: photoTitle(photo), latitude, longitude }]}
          selected={photo.uid}
        />
      )}
    </Stack>
  )
}

type MarketChoiceProps = Pick<QueueEvidenceProps, 'photo' | 'marketUid' | 'onMarket'> & { isAsked: boolean }

function MarketChoice({ photo, marketUid, isAsked, onMarket }: MarketChoiceProps) {
  if (photo.markets.length === 0) {
    return <p role="alert">The program has no markets yet. Add one to the program before you approve this photo.</p>
  }
  return (
    <fieldset className={styles.markets}>
      <legend>Which market is it from?</legend>
      <Radio.Group
        value={marketUid}
        onChange={({ target }) => onMarket(target.value as string)}
        options={photo.markets.map(({ uid, name }, place) => ({
          value: uid,
          label: (
            <>
              {name} {place < 9 && <kbd>{place + 1}</kbd>}
            </>
          ),
        }))}
      />
      {isAsked && <p role="alert">Choose a market first: an approved photo appears in its market.</p>}
    </fieldset>
  )
}

/** The truck in the artwork of the shift, from the side that the photo shows if it says so. */
function Worn({ photo: { artwork, side } }: Pick<QueueEvidenceProps, 'photo'>) {
  if (!artwork) return <Soft as="p">No artwork to compare it with.</Soft>
  const shown = side ? [side] : truckSides.filter((each) => each !== 'passengerSide' || !artwork.driverSide)
  return (
    <Stack as="figure" gap={1} className={styles.worn}>
      <div className={styles.sides} data-count={shown.length}>
        {shown.map((each) => (
          <TruckWithArtwork key={each} side={each} file={artwork[each] ?? undefined} />
        ))}
      </div>
      <Soft as="figcaption" small>
        {artwork.isOfShift ? 'Artwork of the shift' : 'Artwork of the program'}: {artwork.name}
        {side && `, ${truckSideLabel[side].toLowerCase()}`}
      </Soft>
    </Stack>
  )
}
