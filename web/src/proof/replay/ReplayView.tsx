import { useEffect, useEffectEvent, useState } from 'react'
import { formatMoment } from '@roadshow/contract/platform/dates'
import { Soft, Stack } from '../../ui/layout.tsx'
import { Marks } from './Marks.tsx'
import { NowPanel } from './NowPanel.tsx'
import { ReplayClock } from '../../ui/moment/replayClock.ts'
import { keyOfReplay } from './replayKeys.ts'
import { ReplayMap } from './ReplayMap.tsx'
import { firstMoment } from './replayModel.ts'
import type { ReplayModel } from './replayModel.ts'
import { TimeLine } from './TimeLine.tsx'
import { Transport } from './Transport.tsx'
import type { ReplayState } from './useReplay.ts'
import styles from './replay.module.css'

const SETTLED_MS = 300

/** The clock of a replay: it begins at the moment of the address, and the address follows once it rests. */
function useReplayClock({ replay, ...rest }: ReplayModel, { at, isOutside, noteMoment }: ReplayState): ReplayClock {
  const { from, to } = replay
  const [clock] = useState(() => new ReplayClock(from, to, at ?? firstMoment({ replay, ...rest })))
  // Of a day that is not over, more minutes come.
  useEffect(() => clock.extendTo(to), [clock, to])
  const follow = useEffectEvent((moment: number) => {
    if (!isOutside && moment !== clock.at) clock.moveTo(moment)
  })
  useEffect(() => {
    if (at !== undefined) follow(at)
  }, [at])
  const note = useEffectEvent(() => {
    if (clock.at !== at) noteMoment(Math.round(clock.at))
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = clock.subscribe(() => {
      clearTimeout(timer)
      if (!clock.isPlaying) timer = setTimeout(note, SETTLED_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
      clock.pause()
    }
  }, [clock])
  return clock
}

function useKeys(clock: ReplayClock) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isFree = event.target === document.body && !event.ctrlKey && !event.metaKey && !event.altKey
      // Up and Down scroll the page.
      if (!isFree || event.key === 'ArrowUp' || event.key === 'ArrowDown' || event.key.startsWith('Page')) return
      if (keyOfReplay(clock, event)) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [clock])
}

interface ReplayViewProps {
  model: ReplayModel
  state: ReplayState
}

/** Map, moment and time line of a replay. */
export function ReplayView({ model, state }: ReplayViewProps) {
  const clock = useReplayClock(model, state)
  useKeys(clock)
  const { truck, zone, from, to } = model.replay
  return (
    <Stack gap={3}>
      {state.isOutside && state.at !== undefined && (
        <p role="status" className={styles.note}>
          {formatMoment(state.at, zone)} is outside the hours that you can see of {truck.name}.
        </p>
      )}
      {from === to ? (
        <p className={styles.note}>These hours have not begun yet.</p>
      ) : (
        <>
          <div className={styles.layout}>
            <div className={styles.map}>
              <ReplayMap model={model} clock={clock} />
            </div>
            <Stack gap={3} className={styles.controls}>
              <Transport model={model} clock={clock} />
              <TimeLine model={model} clock={clock} />
              <Marks model={model} clock={clock} />
            </Stack>
            <NowPanel model={model} clock={clock} />
          </div>
          <Soft as="p" small className={styles.keys}>
            Arrow keys step a minute, with Shift ten. Space plays. Home and End go to the first and last minute.
          </Soft>
        </>
      )}
    </Stack>
  )
}
