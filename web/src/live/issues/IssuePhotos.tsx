import type { FileRef } from '@roadshow/contract/platform/files'
import { Row } from '../../ui/layout.tsx'
import styles from './issues.module.css'

interface IssuePhotosProps {
  photos: readonly FileRef[]
  /** Where they come from: `Sent by the driver`. */
  from: string
}

/** Photos of an issue or of a comment; each opens whole. */
export const IssuePhotos = ({ photos, from }: IssuePhotosProps) =>
  photos.length > 0 && (
    <Row as="ul" gap={2} wrap className={styles.photos} aria-label="Photos">
      {photos.map(({ uid, url, thumbnailUrl, name }) => (
        <li key={uid}>
          <a href={url} target="_blank" rel="noreferrer">
            <img src={thumbnailUrl ?? url} alt={`${from}: ${name}`} />
          </a>
        </li>
      ))}
    </Row>
  )
