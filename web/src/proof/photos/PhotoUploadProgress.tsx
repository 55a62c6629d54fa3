import { Button, Progress } from 'antd'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import type { PhotoUploads, PhotoUpload } from './usePhotoUploads.ts'
import shared from './photos.module.css'
import styles from './PhotoUploadProgress.module.css'

// Hundreds can be queued; only the next ones are listed.
const QUEUED_SHOWN = 3

const of = (photos: readonly PhotoUpload[], ...states: PhotoUpload['state'][]) =>
  photos.filter(({ state }) => states.includes(state))

/** The progress of uploads: each photo, and all together. */
export function PhotoUploadProgress({ uploads }: { uploads: PhotoUploads }) {
  const { photos } = uploads
  if (photos.length === 0) return null
  const through = of(photos, 'added', 'already', 'refused', 'failed')
  const failed = of(photos, 'failed')
  const queued = of(photos, 'queued')
  const isOver = through.length === photos.length
  const parts = photos.reduce((sum, { state, percent }) => sum + (state === 'sending' ? percent * 0.95 : 0), 0)
  const percent = Math.floor((through.length * 100 + parts) / photos.length)
  return (
    <Stack gap={2}>
      <Row gap={3} lineGap={1} align="center" wrap className={`${styles.overall} photo-progress`}>
        <Progress
          percent={percent}
          status={isOver ? (failed.length > 0 ? 'exception' : 'success') : 'active'}
          aria-label="All photos"
        />
        <p role="status" className="figures">
          {summaryOf(photos)}
        </p>
        {!isOver && (
          <Button size="small" onClick={() => uploads.stop()}>
            Stop
          </Button>
        )}
        {failed.length > 0 && (
          <Button size="small" onClick={() => uploads.retry(failed)}>
            Retry {failed.length === 1 ? 'it' : `all ${formatCount(failed.length)}`}
          </Button>
        )}
        {isOver && failed.length < photos.length && (
          <Button size="small" onClick={() => uploads.clear()}>
            Clear
          </Button>
        )}
      </Row>
      <ul className={styles.files}>
        {[...of(photos, 'failed', 'refused'), ...of(photos, 'sending'), ...queued.slice(0, QUEUED_SHOWN)].map(
          (photo) => (
            <OneFile
              key={photo.key}
              photo={photo}
              onRetry={() => uploads.retry([photo])}
              onDiscard={() => uploads.discard(photo)}
            />
          ),
        )}
        {queued.length > QUEUED_SHOWN && <li>and {formatCount(queued.length - QUEUED_SHOWN)} more</li>}
      </ul>
    </Stack>
  )
}

function summaryOf(photos: readonly PhotoUpload[]): string {
  const words: [string, PhotoUpload['state']][] = [
    ['added', 'added'],
    ['already there', 'already'],
    ['refused', 'refused'],
    ['failed', 'failed'],
  ]
  const said = words
    .map(([word, state]) => [of(photos, state).length, word] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${formatCount(number)} ${word}`)
  return [`${formatCount(of(photos, 'added', 'already').length)} of ${formatCount(photos.length)} sent`, ...said].join(
    ' · ',
  )
}

interface OneFileProps {
  photo: PhotoUpload
  onRetry: () => void
  onDiscard: () => void
}

const OneFile = ({ photo, onRetry, onDiscard }: OneFileProps) => (
  <li data-state={photo.state}>
    <span className={styles.fileName}>{photo.file.name}</span>
    {photo.state === 'sending' && (
      <Progress
        size="small"
        percent={photo.percent}
        {...(photo.percent >= 100 && { format: () => 'Reading…' })}
        aria-label={`Sending ${photo.file.name}`}
      />
    )}
    {photo.state === 'queued' && (
      <Soft small className={shared.hint}>
        Waiting
      </Soft>
    )}
    {photo.problem && (
      <Soft small tone="bad">
        {photo.problem}
      </Soft>
    )}
    {photo.state === 'failed' && (
      <>
        <Button size="small" onClick={onRetry} aria-label={`Retry ${photo.file.name}`}>
          Retry
        </Button>
        <Button size="small" type="text" onClick={onDiscard} aria-label={`Discard ${photo.file.name}`}>
          Discard
        </Button>
      </>
    )}
  </li>
)
