import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Loop } from '@roadshow/contract/planning/loop-lines'
import { toLoopLine } from '@roadshow/contract/planning/rotation-lines'
import type { Rotation } from '@roadshow/contract/planning/rotations'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { useMemo } from 'react'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { useRotation } from './useRotation.ts'

export type ShiftOfLoop = Pick<Shift, 'uid' | 'truck' | 'program' | 'zone' | 'startsAt' | 'endsAt'>

interface ShiftLoop {
  rotation: Rotation
  loop: Loop
}

/** The loop of a shift without a set of its own, as its player plans it; undefined where there is none to show. */
export function useShiftLoop({ uid, truck, program, zone }: ShiftOfLoop): ShiftLoop | undefined {
  const rotation = useRotation(program.uid)
  const mayAskTruck = useMay(trucks.get)
  const hasLines = (rotation?.lines.length ?? 0) > 0
  const found = useCall(trucks.get, { params: { uid: truck.uid } }, { enabled: mayAskTruck && hasLines })
  const shown = useMemo(
    () =>
      rotation && {
        rotation,
        loop: { lines: rotation.lines.map(toLoopLine), restMs: rotation.restMs, zone, seed: uid },
      },
    [rotation, zone, uid],
  )
  // Printed boards show one thing.
  const isPrinted = found.data?.kind === 'printed'
  return !hasLines || isPrinted || (mayAskTruck && !found.data) ? undefined : shown
}
