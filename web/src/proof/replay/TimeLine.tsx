import { formatTimeOnly } from '@roadshow/contract/platform/dates'
import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import { useEffect, useRef } from 'react'
import type { PointerEvent } from 'react'
import { colorIn } from '../../brand/colors.ts'
import { useWidth } from '../../ui/charts/useWidth.ts'
import { currentColor } from '../../ui/map/currentColor.ts'
import { useScheme } from '../../ui/theme.tsx'
import { useIsPhone } from '../../ui/useMedia.ts'
import { drawTimeLine, hourLabels, LINE_HEIGHT, MARK_HEIGHT } from './drawTimeLine.ts'
import type { LineColor } from './drawTimeLine.ts'
import { motionText } from './momentText.ts'
import type { ReplayClock } from '../../ui/moment/replayClock.ts'
import type { ReplayModel } from './replayModel.ts'
import { keyOfReplay } from './replayKeys.ts'
import styles from './replay.module.css'

interface TimeLineProps {
  model: ReplayModel
  clock: ReplayClock
}

const COLORS = [
  'driving',
  'warn',
  'bad',
  'silent',
  'line',
  'playing-silent',
  'off-shift',
] as const satisfies LineColor[]

/** The hours as a slider: plays as ticks for each side, shifts, photos and stops as marks. */
export function TimeLine({ model, clock }: TimeLineProps) {
  const [slider, width] = useWidth<HTMLDivElement>()
  const isPhone = useIsPhone()
  const canvas = useRef<HTMLCanvasElement>(null)
  const line = colorIn('line', useScheme())
  const { from, to, zone, truck } = model.replay

  useEffect(() => {
    const [element, context] = [canvas.current, canvas.current?.getContext?.('2d')]
    if (!element || !context) return
    const colors = Object.fromEntries(COLORS.map((name) => [name, currentColor(document.body, name)])) as Record<
      LineColor,
      string
    >
    const ratio = Math.min(devicePixelRatio, 2)
    Object.assign(element, { width: width * ratio, height: LINE_HEIGHT * ratio })
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawTimeLine(context, model, { width, colors: { ...colors, line } })
    // With light and dark this color changes, and so do the others.
  }, [model, width, line])

  useEffect(() => {
    const element = slider.current
    if (!element) return
    const show = () => {
      const share = (clock.at - from) / Math.max(1, to - from)
      element.style.setProperty('--at', String(share))
      element.setAttribute('aria-valuenow', String(Math.floor((clock.at - from) / 60_000)))
      element.setAttribute('aria-valuetext', `${formatTimeOnly(clock.at, zone)}, ${motionText(model, clock.at)}`)
    }
    show()
    return clock.subscribe(show)
  }, [slider, clock, model, from, to, zone])

  const moveTo = ({ clientX, currentTarget }: PointerEvent<HTMLDivElement>) => {
    const { left, width: wide } = currentTarget.getBoundingClientRect()
    clock.moveTo(from + Math.round(((clientX - left) / Math.max(1, wide)) * (to - from)))
  }
  return (
    <div className={styles.line}>
      <div className={styles.names} aria-hidden>
        {model.sides.map(({ side }) => (
          <span key={side}>{isPhone ? truckSideLabel[side].replace(' side', '') : truckSideLabel[side]}</span>
        ))}
        <span style={{ height: MARK_HEIGHT }}>Shifts, photos, stops</span>
      </div>
      <div
        ref={slider}
        role="slider"
        tabIndex={0}
        aria-label={`Time of ${truck.name}`}
        aria-valuemin={0}
        aria-valuemax={Math.round((to - from) / 60_000)}
        aria-valuenow={0}
        className={styles.slider}
        onKeyDown={(event) => {
          if (!event.ctrlKey && !event.metaKey && !event.altKey && keyOfReplay(clock, event)) event.preventDefault()
        }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture?.(event.pointerId)
          clock.pause()
          moveTo(event)
        }}
        onPointerMove={(event) => event.buttons > 0 && moveTo(event)}
      >
        <canvas ref={canvas} style={{ width, height: LINE_HEIGHT }} aria-hidden />
        <span className={styles.cursor} />
      </div>
      <div className={`${styles.hours} figures`} aria-hidden>
        {hourLabels({ from, to, zone, width }).map(({ at, share }) => (
          <span key={at} style={{ left: `${share * 100}%` }}>
            {formatTimeOnly(at, zone)}
          </span>
        ))}
      </div>
    </div>
  )
}
