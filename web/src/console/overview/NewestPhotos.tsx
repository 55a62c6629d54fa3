import { pops } from '@roadshow/contract/proof/pop'
import type { PopPhoto } from '@roadshow/contract/proof/pop'
import { Link } from '@tanstack/react-router'
import { Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useList } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { PhotoFacts } from '../../proof/photos/PhotoFacts.tsx'
import { Picture } from '../../proof/photos/Picture.tsx'
import { GradeTag } from '../../proof/photos/photoTags.tsx'
import { SkeletonLine, ErrorState } from '../../ui/states.tsx'
import { localZone, formatMoment } from '@roadshow/contract/platform/dates'
import shared from '../../live/fleet/overview.module.css'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import styles from './NewestPhotos.module.css'

const NEWEST = { pageSize: '24', sort: '-takenAt' }

const takenAt = ({ takenAt, zone }: PopPhoto) => (takenAt ? formatMoment(takenAt, zone ?? localZone()) : 'time unknown')
const nameOf = ({ program, truck, market }: PopPhoto) =>
  [program.name, truck?.name, market?.name].filter((each) => each !== undefined).join(', ')

/** The newest photos of all programs, in a row; each opens large. */
export default function NewestPhotos() {
  const found = useList(pops.newest, NEWEST)
  const photos = found.data?.data
  const [opened, open] = useState<string>()
  const place = photos?.findIndex(({ uid }) => uid === opened) ?? -1
  const photo = photos?.[place]
  if (found.isError && !photos) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!photos) return <SkeletonLine />
  if (photos.length === 0) {
    return (
      <p className={shared.calm}>No photos yet. Drivers send them during shifts, and you can add them under POP.</p>
    )
  }
  return (
    <>
      <ul className={styles.strip} aria-label="Newest photos">
        {photos.map((each) => (
          <li key={each.uid}>
            <button type="button" onClick={() => open(each.uid)} aria-label={`Photo of ${nameOf(each)}`}>
              <Picture photo={each} alt="" />
              <strong>{each.program.name}</strong>
              <Soft small>{[each.truck?.name, each.market?.name].filter(Boolean).join(', ') || 'Unknown truck'}</Soft>
              <Soft small className="figures">
                {takenAt(each)}
              </Soft>
            </button>
            <GradeTag grade={each.grade} />
          </li>
        ))}
      </ul>
      <Modal
        open={photo !== undefined}
        onCancel={() => open(undefined)}
        title={photo && nameOf(photo)}
        footer={null}
        width={1120}
        centered
        destroyOnHidden
      >
        {photo && (
          <LargePhoto
            photo={photo}
            before={photos[place - 1]}
            after={photos[place + 1]}
            onOpen={({ uid }) => open(uid)}
          />
        )}
      </Modal>
    </>
  )
}

interface LargePhotoProps {
  photo: PopPhoto
  before: PopPhoto | undefined
  after: PopPhoto | undefined
  onOpen: (photo: PopPhoto) => void
}

function LargePhoto({ photo, before, after, onOpen }: LargePhotoProps) {
  const maySeePops = useMay(pops.list)
  useEffect(() => {
    const step = ({ key }: KeyboardEvent) => {
      const next = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined
      if (next) onOpen(next)
    }
    addEventListener('keydown', step)
    return () => removeEventListener('keydown', step)
  }, [before, after, onOpen])
  return (
    <div className={styles.large}>
      <Picture photo={photo} alt={photo.caption || `Photo of ${nameOf(photo)}`} isWhole />
      <Stack gap={3}>
        {photo.caption && <p>{photo.caption}</p>}
        <PhotoFacts photo={photo} />
        <Row gap={3} lineGap={2} align="center" wrap>
          <Button disabled={!before} onClick={() => before && onOpen(before)}>
            Newer
          </Button>
          <Button disabled={!after} onClick={() => after && onOpen(after)}>
            Older
          </Button>
          {maySeePops && (
            <Link to="/client-pop" search={{ open: photo.program.uid, tab: 'photos' }}>
              Photos of this program
            </Link>
          )}
        </Row>
      </Stack>
    </div>
  )
}
