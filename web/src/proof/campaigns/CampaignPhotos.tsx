import type { Campaign, CampaignPhoto } from '@roadshow/contract/proof/campaigns'
import { useId } from 'react'
import { Soft } from '../../ui/layout.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { formatMoment } from '@roadshow/contract/platform/dates'
import { PhotosLink } from '../pop/figureLinks.tsx'
import styles from './CampaignPhotos.module.css'

const titleOf = ({ caption, market, takenAt, zone }: CampaignPhoto) =>
  [caption || 'Photo', market, takenAt && formatMoment(takenAt, zone ?? 'UTC')].filter(Boolean).join(', ')

/** The newest approved photos; each opens large. */
export function CampaignPhotos({ campaign: { uid, photos, photosTotal, phase } }: { campaign: Campaign }) {
  const heading = useId()
  if (photos.length === 0 && phase === 'upcoming') return null
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>Newest photos</h3>
      {photos.length === 0 && <Soft as="p">No approved photos yet.</Soft>}
      {photos.length > 0 && (
        <ul className={styles.wall}>
          {photos.map((photo) => (
            <li key={photo.uid}>
              <a href={photo.urls.large} target="_blank" rel="noreferrer">
                <img
                  src={photo.urls.small}
                  srcSet={`${photo.urls.small} 480w, ${photo.urls.medium} 1200w`}
                  sizes="(max-width: 639px) 46vw, 240px"
                  alt={titleOf(photo)}
                  loading="lazy"
                  decoding="async"
                  style={{ backgroundImage: `url("${photo.blur}")` }}
                />
              </a>
            </li>
          ))}
        </ul>
      )}
      {photosTotal > photos.length && (
        <p>
          <PhotosLink program={uid}>{`All ${countOf(photosTotal, 'photo')}`}</PhotosLink>
        </p>
      )}
    </section>
  )
}
