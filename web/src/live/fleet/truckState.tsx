import { costlyStates, liveStateLabel, motionOf } from '@roadshow/contract/live/fleet'
import type { LiveState, LiveTruck } from '@roadshow/contract/live/fleet'
import { toMiles } from '@roadshow/contract/platform/geo'
import { isHollow, StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import type { Spot } from '../../ui/map/spots.ts'

export const stateTone: Record<LiveState, Tone> = {
  driving: 'driving',
  parked: 'parked',
  silent: 'silent',
  darkScreen: 'bad',
  playingSilent: 'playing-silent',
  notMoving: 'warn',
  runningOver: 'warn',
  offShift: 'off-shift',
}

/** The states as people choose from them: those that cost money first. */
export const statesInOrder: readonly LiveState[] = [...costlyStates, 'driving', 'parked', 'silent']

export const LiveStateTag = ({ state }: { state: LiveState }) => (
  <StateTag tone={stateTone[state]}>{liveStateLabel[state]}</StateTag>
)

export const speedText = (kmh: number) => `${Math.round(toMiles(kmh * 1000))} mph`

/** A truck on the map; nothing while it was never seen. */
export function spotOf(truck: LiveTruck): Spot[] {
  const { uid, number, state, latitude, longitude, heading, speedKmh } = truck
  if (latitude === null || longitude === null) return []
  const tone = stateTone[state]
  const isMoving = motionOf(truck) === 'moving'
  const speed = isMoving && speedKmh !== null ? `, ${speedText(speedKmh)}` : ''
  return [
    {
      id: uid,
      name: number,
      text: `${liveStateLabel[state]}${speed}`,
      tone,
      latitude,
      longitude,
      heading,
      shape: isHollow(tone) ? 'ring' : isMoving && heading !== null ? 'arrow' : 'disc',
      isUrgent: costlyStates.includes(state),
    },
  ]
}
