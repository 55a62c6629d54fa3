import { Button, Select } from 'antd'
import { formatTime, formatTimeOnly } from '@roadshow/contract/platform/dates'
import { TypedInput } from '../../ui/form/TypedInput.tsx'
import { Row } from '../../ui/layout.tsx'
import { readMoment } from './momentText.ts'
import { paces } from '../../ui/moment/replayClock.ts'
import type { Pace, ReplayClock } from '../../ui/moment/replayClock.ts'
import type { ReplayModel } from './replayModel.ts'
import { useMoment } from '../../ui/moment/useMoment.ts'
import styles from './replay.module.css'

const choices = Object.entries(paces).map(([value, label]) => ({ value: Number(value) as Pace, label }))

/** Plays, pauses, steps, and goes to a time that is typed: `6p`. */
export function Transport({ model: { replay }, clock }: { model: ReplayModel; clock: ReplayClock }) {
  const { zone } = replay
  const isPlaying = useMoment(clock, (now) => now.isPlaying)
  const shown = useMoment(clock, ({ at }) => formatTimeOnly(at, zone))
  const pace = useMoment(clock, (now) => now.pace)
  return (
    <Row gap={2} align="center" wrap>
      <Button type="primary" onClick={clock.toggle} className={styles.play ?? ''}>
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <Button onClick={() => clock.step(-1)}>− 1 min</Button>
      <Button onClick={() => clock.step(1)}>+ 1 min</Button>
      <div className={styles.typed} onFocus={clock.pause}>
        <TypedInput
          aria-label="Go to time"
          shown={shown}
          read={(typed) => readMoment(replay, typed)}
          say={(moment) => formatTime(moment, zone)}
          onRead={clock.moveTo}
        />
      </div>
      <Select<Pace>
        aria-label="Pace"
        value={pace}
        options={choices}
        onChange={clock.setPace}
        popupMatchSelectWidth={false}
      />
    </Row>
  )
}
