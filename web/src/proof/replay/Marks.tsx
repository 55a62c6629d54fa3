import { formatTimeOnly } from '@roadshow/contract/platform/dates'
import { stopStateLabel } from '@roadshow/contract/planning/stop-words'
import { Row, Stack } from '../../ui/layout.tsx'
import type { ReplayClock } from '../../ui/moment/replayClock.ts'
import type { ReplayModel } from './replayModel.ts'
import styles from './replay.module.css'

/** Photos and stops, in the order of their times; each leads to its minute. */
export function Marks({ model: { replay }, clock }: { model: ReplayModel; clock: ReplayClock }) {
  const { photos, stops, zone } = replay
  if (photos.length + stops.length === 0) return null
  return (
    <Stack gap={3}>
      {photos.length > 0 && (
        <Row as="section" gap={2} wrap aria-label="Photos">
          {photos
            .toSorted((one, other) => one.at - other.at)
            .map(({ uid, at, small, caption }) => (
              <button key={uid} type="button" className={styles.photo} onClick={() => clock.moveTo(at)}>
                <img src={small} alt={caption || 'Photo'} loading="lazy" />
                <span className="figures">{formatTimeOnly(at, zone)}</span>
              </button>
            ))}
        </Row>
      )}
      {stops.length > 0 && (
        <Row as="section" gap={2} wrap aria-label="Planned stops">
          {stops.map(({ name, opensAt, arrivedAt, state }) => (
            <button
              key={`${name} ${opensAt}`}
              type="button"
              className={styles.stop}
              onClick={() => clock.moveTo(Date.parse(arrivedAt ?? opensAt))}
            >
              <span className="figures">{formatTimeOnly(arrivedAt ?? opensAt, zone)}</span> {name}
              {state && ` (${stopStateLabel[state]})`}
            </button>
          ))}
        </Row>
      )}
    </Stack>
  )
}
