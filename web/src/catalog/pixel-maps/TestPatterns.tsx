import { testPatterns } from '@roadshow/contract/catalog/test-patterns'
import type { TestPattern, TestScreen } from '@roadshow/contract/catalog/test-patterns'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import styles from './pixelMaps.module.css'

interface TestPatternsProps extends TestScreen {
  onClose: () => void
}

/** The whole screen, exact to the pixel, from the top left corner: where a player's output begins. */
export default function TestPatterns({ canvas, sides, onClose }: TestPatternsProps) {
  const [at, setAt] = useState(0)
  const [running, setRunning] = useState(true)
  const [hinting, setHinting] = useState(true)
  const pattern = testPatterns[at]
  const surface = usePatternDrawing(pattern, { canvas, sides, running })
  const step = (by: number) => setAt((at + by + testPatterns.length) % testPatterns.length)

  useFullScreen(onClose)

  useKeys({
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    ' ': () => setRunning(!running),
    h: () => setHinting(!hinting),
    Escape: onClose,
  })

  return createPortal(
    <div
      role="dialog"
      aria-modal
      aria-label={`Test pattern: ${pattern?.name ?? ''}`}
      className={styles.screen}
      onPointerUp={() => step(1)}
    >
      <canvas ref={surface} />
      {hinting && (
        <p role="status" className={styles.hint}>
          <strong>{pattern?.name}</strong>
          <span>
            <kbd>←</kbd> <kbd>→</kbd> pattern · <kbd>Space</kbd> {running ? 'pause' : 'go on'} · <kbd>H</kbd> hide this
            · <kbd>Esc</kbd> leave
          </span>
          <button type="button" onPointerUp={(event) => event.stopPropagation()} onClick={onClose}>
            Leave
          </button>
        </p>
      )}
    </div>,
    document.body,
  )
}

/** Hears the keys while the patterns cover the screen, and keeps them from the drawer below. */
function useKeys(acts: Record<string, () => void>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const act = acts[event.key]
    event.stopImmediatePropagation()
    if (event.key === 'Tab') event.preventDefault()
    if (!act) return
    event.preventDefault()
    act()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    addEventListener('keydown', listener, { capture: true })
    return () => removeEventListener('keydown', listener, { capture: true })
  }, [])
}

/** Draws the pattern on the canvas, frame by frame while a moving one runs. */
function usePatternDrawing(
  pattern: TestPattern | undefined,
  { canvas, sides, running }: TestScreen & { running: boolean },
) {
  const surface = useRef<HTMLCanvasElement>(null)
  const seconds = useRef(0)
  const view = useWindow()
  useEffect(() => {
    const element = surface.current
    const brush = element?.getContext('2d', { alpha: false })
    if (!element || !brush || !pattern) return
    // Pixels beyond the screen are not seen, and a whole canvas may be larger than a browser can hold.
    element.width = Math.min(canvas.width, view.width)
    element.height = Math.min(canvas.height, view.height)
    element.style.width = `${element.width / view.ratio}px`
    element.style.height = `${element.height / view.ratio}px`
    let frame = 0
    let before = performance.now()
    const draw = (now: number) => {
      if (running) seconds.current += Math.max(0, now - before) / 1000
      before = now
      pattern.draw(brush, { canvas, sides }, seconds.current)
      if (pattern.moves && running) frame = requestAnimationFrame(draw)
    }
    draw(before)
    return () => cancelAnimationFrame(frame)
  }, [canvas, sides, pattern, running, view])
  return surface
}

/** Fills the screen where the browser lets it; leaving full screen leaves altogether. */
function useFullScreen(onLeave: () => void): void {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    const page = document.documentElement
    const left = () => {
      if (!document.fullscreenElement) leave()
    }
    // Not every browser has it, and a phone may refuse: the patterns then fill the window.
    void page.requestFullscreen?.({ navigationUI: 'hide' }).catch(() => undefined)
    document.addEventListener('fullscreenchange', left)
    return () => {
      document.removeEventListener('fullscreenchange', left)
      if (document.fullscreenElement) void document.exitFullscreen().catch(() => undefined)
    }
  }, [])
}

/** The window in pixels of the screen, followed as it changes. */
function useWindow() {
  const [size, setSize] = useState(windowNow)
  useEffect(() => {
    const changed = () => setSize(windowNow)
    addEventListener('resize', changed)
    return () => removeEventListener('resize', changed)
  }, [])
  return size
}

const windowNow = () => ({
  width: Math.round(innerWidth * devicePixelRatio),
  height: Math.round(innerHeight * devicePixelRatio),
  ratio: devicePixelRatio,
})
