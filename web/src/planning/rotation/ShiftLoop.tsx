import { toLoopLine } from '@roadshow/contract/planning/rotation-lines'
import { useMemo } from 'react'
import { Stack } from '../../ui/layout.tsx'
import { LoopPlan } from './LoopPlan.tsx'
import styles from './LoopPlan.module.css'
import { useRotation } from './useRotation.ts'

interface ShiftLoopProps {
  shift: { uid: string; program: { uid: string }; zone: string; startsAt: string; endsAt: string }
}

/** What a shift without a set of its own will show in turn, as its player plans it. */
export function ShiftLoop({ shift: { uid, program, zone, startsAt, endsAt } }: ShiftLoopProps) {
  const rotation = useRotation(program.uid)
  const loop = useMemo(
    () => rotation && { lines: rotation.lines.map(toLoopLine), restMs: rotation.restMs, zone, seed: uid },
    [rotation, zone, uid],
  )
  if (!rotation || !loop || loop.lines.length === 0) return null
  const names = new Map(rotation.lines.map((line) => [line.uid, line.artworkSet.name]))
  return (
    <Stack gap={2} as="section" className={styles.ofShift}>
      <h2>Expected plays</h2>
      <LoopPlan loop={loop} names={names} from={Date.parse(startsAt)} to={Date.parse(endsAt)} />
    </Stack>
  )
}
