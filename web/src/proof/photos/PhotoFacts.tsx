import type { PopPhoto } from '@roadshow/contract/proof/pop'
import type { ReactNode } from 'react'
import { formatShiftTime } from '../../planning/shifts/shiftText.ts'
import { localZone, timestamp } from '../../ui/time.ts'
import { EM_DASH } from '../../ui/words.ts'
import { GradeTag, PhotoStatusTag } from './photoTags.tsx'
import styles from './PhotoFacts.module.css'

const source = { exif: 'the camera', typed: 'entered by hand, not verified' } as const

/** The facts of a photo. */
export function PhotoFacts({ photo }: { photo: PopPhoto }) {
  const { takenAt, latitude, longitude, shift } = photo
  const zone = photo.zone ?? localZone()
  const facts: [label: string, text: ReactNode][] = [
    ['Status', <PhotoStatusTag key="status" status={photo.status} />],
    [
      'Grade',
      <span key="grade">
        <GradeTag grade={photo.grade} /> {photo.reason}
      </span>,
    ],
    ['Taken', takenAt && `${timestamp(takenAt, zone)} (${zone})`],
    ['Time from', photo.timeSource && source[photo.timeSource]],
    ['Place', latitude !== null && longitude !== null && `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`],
    ['Place from', photo.placeSource && source[photo.placeSource]],
    ['Truck', photo.truck?.name],
    ['Shift', shift && `${formatShiftTime(shift)} (${shift.zone})`],
    ['Sent by', photo.takenBy?.name],
    ['Sent', `${timestamp(photo.createdAt)} (${localZone()})`],
    ['File', `${photo.name}, ${photo.width} × ${photo.height}`],
  ]
  return (
    <dl className={`figures ${styles.known ?? ''}`}>
      {facts.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text || EM_DASH}</dd>
        </div>
      ))}
    </dl>
  )
}
