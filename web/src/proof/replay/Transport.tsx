import { Button, Select } from 'antd'
import { Row } from '../../ui/layout.tsx'
import { paces } from './replayClock.ts'
import type { Pace, ReplayClock } from './replayClock.ts'
import { useMoment } from './useMoment.ts'
import styles from './replay.module.css'

const choices = Object.entries(paces).map(([value, label]) => ({ value: Number(value) as Pace, label }))

/** Plays, pauses and steps. */
export function Transport({ clock }: { clock: ReplayClock }) {
  const isPlaying = useMoment(clock, (now) => now.isPlaying)
  const pace = useMoment(clock, (now) => now.pace)
  return (
    <Row gap={2} align="center" wrap>
      <Button type="primary" onClick={clock.toggle} className={styles.play ?? ''}>
        {isPlaying ? 'Pause' : 'Play'}
      </Button>
      <Button onClick={() => clock.step(-1)}>− 1 min</Button>
      <Button onClick={() => clock.step(1)}>+ 1 min</Button>
      <Select<Pace>
        aria-label="Pace"
        value={pace as Pace}
        options={choices}
        onChange={clock.setPace}
        popupMatchSelectWidth={false}
      />
    </Row>
  )
}
