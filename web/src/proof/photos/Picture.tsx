import type { PopPhoto } from '@roadshow/contract/proof/pop'
import styles from './Picture.module.css'

interface PictureProps {
  photo: PopPhoto
  alt: string
  /** Whole and large, instead of small and cut to a tile. */
  isWhole?: boolean
}

/** A photo, with a blurred placeholder until it loads. */
export const Picture = ({ photo, alt, isWhole = false }: PictureProps) => (
  <span
    className={isWhole ? styles.whole : styles.tile}
    style={{
      backgroundImage: `url("${photo.blur}")`,
      ...(isWhole && { aspectRatio: `${photo.width} / ${photo.height}` }),
    }}
  >
    <img
      key={photo.uid}
      src={isWhole ? photo.urls.large : photo.urls.small}
      alt={alt}
      loading={isWhole ? 'eager' : 'lazy'}
      decoding="async"
      draggable={false}
    />
  </span>
)
