import { rotations } from '@roadshow/contract/planning/rotations'
import type { Rotation } from '@roadshow/contract/planning/rotations'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'

/** Whether a shift will show the rotation of its program. Past ones may have shown another rotation than the present one. */
export const showsRotation = ({ artworkSet, status }: Pick<Shift, 'artworkSet' | 'status'>): boolean =>
  artworkSet === null && (status === 'planned' || status === 'out')

/** Whether a shift that has begun shows, or showed, the rotation of its program. */
export const playsRotation = (
  { artworkSet, status, startsAt }: Pick<Shift, 'artworkSet' | 'status' | 'startsAt'>,
  now: number,
): boolean =>
  artworkSet === null &&
  (status === 'out' || status === 'completed' || (status === 'planned' && Date.parse(startsAt) <= now))

/** The rotation of a program, for those who may know. */
export function useRotation(program: string | undefined): Rotation | undefined {
  const isAsked = useMay(rotations.get) && Boolean(program)
  return useCall(rotations.get, { params: { uid: program ?? '' } }, { enabled: isAsked }).data
}

/** `Rotation: Breakfast, Dinner`; undefined for a program that shows nothing in turn. */
export function useRotationWords(program: string | undefined): string | undefined {
  const names = new Set(useRotation(program)?.lines.map(({ artworkSet }) => artworkSet.name))
  return names.size > 0 ? `Rotation: ${[...names].join(', ')}` : undefined
}
