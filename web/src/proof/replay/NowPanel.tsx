import { formatTime, formatWeekday } from '@roadshow/contract/platform/dates'
import { countOf } from '@roadshow/contract/platform/figures'
import { localDay } from '@roadshow/contract/planning/shift-time'
import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { Soft, Stack } from '../../ui/layout.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { GradeTag } from '../photos/photoTags.tsx'
import { playAt, playsOfMinute } from './moments.ts'
import type { SideTrack } from './moments.ts'
import { motionText, placeText, programText } from './momentText.ts'
import type { ReplayClock } from '../../ui/moment/replayClock.ts'
import type { ReplayModel } from './replayModel.ts'
import { useMoment } from '../../ui/moment/useMoment.ts'
import styles from './replay.module.css'

interface NowProps {
  model: ReplayModel
  clock: ReplayClock
}

/** The moment itself: time, speed, place, and the picture of each side. */
export function NowPanel({ model, clock }: NowProps) {
  const { zone, truck, playLog } = model.replay
  const time = useMoment(clock, ({ at }) => formatTime(at, zone))
  const day = useMoment(clock, ({ at }) => formatWeekday(localDay(zone, at)))
  const motion = useMoment(clock, ({ at }) => motionText(model, at))
  const place = useMoment(clock, ({ at }) => placeText(model, at))
  const program = useMoment(clock, ({ at }) => programText(model, at))
  return (
    <Stack as="section" gap={3} className={styles.panel} aria-label="This minute">
      <Stack gap={1}>
        <h2 className={`${styles.time} figures`}>{time}</h2>
        <Soft className="figures">
          {truck.name}, {day}
        </Soft>
        <strong className="figures">{motion}</strong>
        <Soft small className="figures">
          {place}
        </Soft>
        <Soft small>{program}</Soft>
      </Stack>
      {playLog === 'kept' ? (
        model.sides.map((side) => <SidePicture key={side.side} side={side} model={model} clock={clock} />)
      ) : (
        <p className={styles.note}>{logTexts[playLog]}</p>
      )}
      <PhotoOfMinute model={model} clock={clock} />
    </Stack>
  )
}

const logTexts = {
  printed: 'Printed truck: no play log.',
  old: 'Single plays of this day are no longer kept.',
}

/** The photo that was taken in this minute. */
function PhotoOfMinute({ model, clock }: NowProps) {
  const { photos } = model.replay
  const index = useMoment(clock, ({ at }) => photos.findIndex((photo) => Math.abs(photo.at - at) < 60_000))
  const photo = photos[index]
  if (!photo) return null
  return (
    <figure className={styles.taken}>
      <img src={photo.large} alt={photo.caption || 'Photo of this minute'} />
      <figcaption>
        {photo.caption} <GradeTag grade={photo.grade} />
      </figcaption>
    </figure>
  )
}

/** What a side shows, and how sure that is. */
function SidePicture({ side, model, clock }: NowProps & { side: SideTrack }) {
  const play = useMoment(clock, ({ at }) => playAt(side, at))
  const count = useMoment(clock, ({ at }) => playsOfMinute(side, at))
  const picture = play === undefined ? undefined : model.replay.pictures[side.picture[play] ?? -1]
  // Players report plays a while after they were shown.
  const isAwaited = useMoment(clock, ({ at }) => model.replay.isRunning && at > (side.endsAt.at(-1) ?? -Infinity))
  const mark = play === undefined ? undefined : side.mark[play]
  return (
    <figure className={styles.side}>
      <div className={styles.screen}>
        {picture?.url ? (
          <img src={picture.url} alt={picture.artwork} />
        ) : (
          <span>{picture?.artwork ?? (isAwaited ? 'Not reported yet' : 'No play')}</span>
        )}
      </div>
      <figcaption>
        <strong>{truckSideLabel[side.side]}</strong>
        <span className={styles.artwork}>{picture?.artwork}</span>
        {mark === 'unassigned' ? <StateTag tone="silent">Unassigned</StateTag> : mark && <GradeTag grade={mark} />}
        <Soft small className="figures">
          {countOf(count, 'play')} began this minute
        </Soft>
      </figcaption>
    </figure>
  )
}
