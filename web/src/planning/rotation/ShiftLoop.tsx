import { toLoopLine } from '@roadshow/contract/planning/rotation-lines'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { loopProblem } from '@roadshow/contract/planning/loop-capacity'
import { useMemo } from 'react'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { Stack } from '../../ui/layout.tsx'
import { LoopPlan } from './LoopPlan.tsx'
import styles from './LoopPlan.module.css'
import { useRotation } from './useRotation.ts'

interface ShiftLoopProps {
  shift: {
    uid: string
    truck: { uid: string }
    program: { uid: string }
    zone: string
    startsAt: string
    endsAt: string
  }
}

/** What a shift without a set of its own will show in turn, as its player plans it. */
export function ShiftLoop({ shift: { uid, truck, program, zone, startsAt, endsAt } }: ShiftLoopProps) {
  const rotation = useRotation(program.uid)
  const mayAskTruck = useMay(trucks.get)
  const hasLines = (rotation?.lines.length ?? 0) > 0
  const found = useCall(trucks.get, { params: { uid: truck.uid } }, { enabled: mayAskTruck && hasLines })
  const loop = useMemo(
    () => rotation && { lines: rotation.lines.map(toLoopLine), restMs: rotation.restMs, zone, seed: uid },
    [rotation, zone, uid],
  )
  // Printed boards show one thing.
  const isPrinted = found.data?.kind === 'printed'
  if (!rotation || !loop || !hasLines || isPrinted || (mayAskTruck && !found.data)) return null
  const problem = loopProblem(loop)
  const names = new Map(rotation.lines.map((line) => [line.uid, line.artworkSet.name]))
  return (
    <Stack gap={2} as="section" className={styles.ofShift}>
      <h2>Expected plays</h2>
      {problem && <p role="alert">{problem}</p>}
      <LoopPlan loop={loop} names={names} from={Date.parse(startsAt)} to={Date.parse(endsAt)} />
    </Stack>
  )
}
