import { useSyncExternalStore } from 'react'
import type { ReplayClock } from './replayClock.ts'

/** What a part shows of the present moment: text or a number, so that it is drawn again only when that changes. */
export const useMoment = <Shown extends string | number | boolean | undefined>(
  clock: ReplayClock,
  select: (clock: ReplayClock) => Shown,
): Shown => useSyncExternalStore(clock.subscribe, () => select(clock))
