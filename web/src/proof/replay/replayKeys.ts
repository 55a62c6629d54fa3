import type { ReplayClock } from '../../ui/moment/replayClock.ts'

/** Acts on a key of a replay; answers whether it is one. */
export function keyOfReplay(clock: ReplayClock, { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>): boolean {
  const acts: Partial<Record<string, () => void>> = {
    ArrowLeft: () => clock.step(shiftKey ? -10 : -1),
    ArrowDown: () => clock.step(-1),
    ArrowRight: () => clock.step(shiftKey ? 10 : 1),
    ArrowUp: () => clock.step(1),
    PageUp: () => clock.step(30),
    PageDown: () => clock.step(-30),
    Home: () => clock.moveTo(clock.from),
    End: () => clock.moveTo(clock.to),
    ' ': clock.toggle,
  }
  acts[key]?.()
  return acts[key] !== undefined
}
