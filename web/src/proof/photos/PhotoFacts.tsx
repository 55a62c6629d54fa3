import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { formatDistance } from '@roadshow/contract/platform/geo'
import { SENT_LATER_MINUTES } from '@roadshow/contract/platform/sent-later'
import type { PhotoSource, PopPhoto } from '@roadshow/contract/proof/pop'
import type { ReactNode } from 'react'
import { formatShiftTime } from '../../planning/shifts/shiftText.ts'
import { localZone, timestamp } from '@roadshow/contract/platform/dates'
import { EM_DASH } from '../../ui/text/dash.ts'
import { Soft } from '../../ui/layout.tsx'
import { GradeTag, PhotoStatusTag } from './photoTags.tsx'
import styles from './photos.module.css'

const sourceLabel: Record<PhotoSource, string> = {
  exif: 'the camera',
  phone: 'the driver’s phone',
  typed: 'entered by hand, not verified',
}

const isSentLater = ({ takenAt, createdAt }: PopPhoto) =>
  takenAt !== null && Date.parse(createdAt) - Date.parse(takenAt) > SENT_LATER_MINUTES * 60_000

const placeSourceText = (source: PhotoSource, accuracyM: number | null): string =>
  accuracyM === null ? sourceLabel[source] : `${sourceLabel[source]}, accurate to ${formatDistance(accuracyM)}`

type Fact = [label: string, text: ReactNode]
const isFact = (fact: Fact | false): fact is Fact => fact !== false

/** The facts of a photo. */
export function PhotoFacts({ photo }: { photo: PopPhoto }) {
  const { takenAt, latitude, longitude, shift } = photo
  const zone = photo.zone ?? localZone()
  const facts: (Fact | false)[] = [
    [
      'Status',
      <span key="status">
        <PhotoStatusTag status={photo.status} /> {photo.rejection}
      </span>,
    ],
    [
      'Grade',
      <span key="grade">
        <GradeTag grade={photo.grade} /> {photo.reason}
      </span>,
    ],
    ['Taken', takenAt && `${timestamp(takenAt, zone)} (${zone})`],
    ['Time from', photo.timeSource && sourceLabel[photo.timeSource]],
    photo.phoneTakenAt !== null && [
      'Phone’s clock',
      `${timestamp(photo.phoneTakenAt, zone)}, which was wrong and has been corrected`,
    ],
    ['Place', latitude !== null && longitude !== null && `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`],
    ['Place from', photo.placeSource && placeSourceText(photo.placeSource, photo.accuracyM)],
    photo.side !== null && ['Side', truckSideLabel[photo.side]],
    ['Truck', photo.truck?.name],
    ['Shift', shift && `${formatShiftTime(shift)} (${shift.zone})`],
    ['Sent by', photo.takenBy?.name],
    ['Sent', `${timestamp(photo.createdAt, localZone())} (${localZone()})${isSentLater(photo) ? ', sent later' : ''}`],
    ['File', `${photo.name}, ${photo.width} × ${photo.height}`],
  ]
  return (
    <dl className={`figures ${styles.known ?? ''}`}>
      {facts.filter(isFact).map(([label, text]) => (
        <div key={label}>
          <Soft as="dt">{label}</Soft>
          <dd>{text || EM_DASH}</dd>
        </div>
      ))}
    </dl>
  )
}
