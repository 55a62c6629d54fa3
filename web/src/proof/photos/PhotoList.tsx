import type { PopPhoto } from '@roadshow/contract/proof/pop'
import type { ReactNode } from 'react'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { SkeletonLines } from '../../ui/states.tsx'
import { Picture } from './Picture.tsx'
import { GradeTag, PhotoStatusTag } from './photoTags.tsx'
import { photoTitle } from './PhotoCard.tsx'
import styles from './photos.module.css'

interface PhotoStripProps {
  photos: readonly PopPhoto[] | undefined
  empty: string
  /** Shows the status, which readers of approved photos do not need. */
  withStatus?: boolean
  /** The actions on a photo. */
  children?: (photo: PopPhoto) => ReactNode
}

/** Photos with their grades; each opens large. */
export function PhotoList({ photos, empty, withStatus = false, children }: PhotoStripProps) {
  if (!photos) return <SkeletonLines rows={3} />
  if (photos.length === 0) return <Soft as="p">{empty}</Soft>
  return (
    <ul className={styles.strip}>
      {photos.map((photo) => (
        <Stack as="li" gap={1} align="start" key={photo.uid}>
          <a href={photo.urls.large} target="_blank" rel="noreferrer" aria-label={`${photoTitle(photo)}, large`}>
            <Picture photo={photo} alt="" />
          </a>
          <Row as="span" gap={3} lineGap={0} align="center" wrap>
            {withStatus && <PhotoStatusTag status={photo.status} />}
            <GradeTag grade={photo.grade} />
          </Row>
          <Soft small title={photo.reason}>
            {photo.reason}
          </Soft>
          {children ? children(photo) : photo.caption && <span>{photo.caption}</span>}
        </Stack>
      ))}
    </ul>
  )
}
