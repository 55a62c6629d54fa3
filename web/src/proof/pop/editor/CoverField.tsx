import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import { useId } from 'react'
import { useList } from '../../../api/useList.ts'
import { ErrorState } from '../../../ui/states.tsx'
import { photoTitle } from '../../photos/PhotoCard.tsx'
import { Picture } from '../../photos/Picture.tsx'
import styles from './PopEditor.module.css'

interface CoverFieldProps {
  program: string
  /** The form gives the rest. */
  id?: string
  value?: string | null
  onChange?: (uid: string | null) => void
}

const FIRST_PHOTO = 'First photo shown'

const usePhotosOfPage = (program: string) =>
  useList(pops.photos, { program, status: 'approved', pageSize: String(MAX_PAGE_SIZE) })

/** The cover photo of a page that is only read. */
export function CoverPhoto({ pop }: { pop: Pick<Pop, 'uid' | 'coverPhotoUid'> }) {
  const photo = usePhotosOfPage(pop.uid).data?.data.find(({ uid }) => uid === pop.coverPhotoUid)
  return photo ? <Picture photo={photo} alt={photoTitle(photo)} /> : FIRST_PHOTO
}

/** The cover photo, chosen from the photos of the page. */
export function CoverField({ program, id, value = null, onChange }: CoverFieldProps) {
  const name = useId()
  const found = usePhotosOfPage(program)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const photos = found.data?.data ?? []
  return (
    <div id={id} role="radiogroup" aria-label="Cover photo" className={styles.covers}>
      <label className={styles.cover}>
        <input type="radio" name={name} checked={value === null} onChange={() => onChange?.(null)} />
        <span>{FIRST_PHOTO}</span>
      </label>
      {photos.map((photo) => (
        <label key={photo.uid} className={styles.cover}>
          <input type="radio" name={name} checked={value === photo.uid} onChange={() => onChange?.(photo.uid)} />
          <Picture photo={photo} alt={photoTitle(photo)} />
        </label>
      ))}
    </div>
  )
}
