import { loopProblem } from '@roadshow/contract/planning/loop-capacity'
import { Stack } from '../../ui/layout.tsx'
import { LoopPlan } from './LoopPlan.tsx'
import styles from './LoopPlan.module.css'
import { useShiftLoop } from './useShiftLoop.ts'
import type { ShiftOfLoop } from './useShiftLoop.ts'

/** What a shift without a set of its own will show in turn. */
export function ShiftLoop({ shift }: { shift: ShiftOfLoop }) {
  const shown = useShiftLoop(shift)
  if (!shown) return null
  const { loop, rotation } = shown
  const problem = loopProblem(loop)
  const names = new Map(rotation.lines.map((line) => [line.uid, line.artworkSet.name]))
  return (
    <Stack gap={2} as="section" className={styles.ofShift}>
      <h2>Expected plays</h2>
      {problem && <p role="alert">{problem}</p>}
      <LoopPlan loop={loop} names={names} from={Date.parse(shift.startsAt)} to={Date.parse(shift.endsAt)} />
    </Stack>
  )
}
