import type { Program } from '@roadshow/contract/catalog/programs'
import { loopProblem } from '@roadshow/contract/planning/loop-capacity'
import type { Loop } from '@roadshow/contract/planning/loop-lines'
import { toLoopLine } from '@roadshow/contract/planning/rotation-lines'
import type { PlannedLine } from '@roadshow/contract/planning/rotation-lines'
import type { Rotation } from '@roadshow/contract/planning/rotations'
import { addDays, localDay, shiftRange, weekdayOf } from '@roadshow/contract/planning/shift-time'
import { Select } from 'antd'
import { useDeferredValue, useId, useMemo, useState } from 'react'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { weekdayOptions } from '../../ui/text/weekdays.ts'
import { LoopPlan } from './LoopPlan.tsx'

/** A line of a rotation that may not be saved yet. */
export interface LineOfDay extends PlannedLine {
  name: string
}

interface DayPlanProps {
  program: Program
  rotation: Pick<Rotation, 'restMs'>
  lines: readonly LineOfDay[]
}

/** A whole day of a rotation in the first market of its program. */
export function DayPlan({ program, rotation: { restMs }, lines }: DayPlanProps) {
  const zone = program.markets[0]?.zone
  const today = localDay(zone ?? 'UTC')
  const [weekday, setWeekday] = useState(weekdayOf(today))
  const label = useId()
  // Every typed letter makes new lines, and computing a day takes longer than typing one.
  const content = useDeferredValue(JSON.stringify(lines))
  const { loop, names } = useMemo(() => {
    const known = JSON.parse(content) as LineOfDay[]
    const loop: Loop = { lines: known.map(toLoopLine), restMs, zone: zone ?? 'UTC', seed: program.uid }
    return { loop, names: new Map(known.map(({ uid, name }) => [uid, name])) }
  }, [content, restMs, zone, program.uid])
  if (lines.length === 0 || loop.lines.length === 0) return null
  if (zone === undefined) return <Soft as="p">Add a market to the program to see a day of it.</Soft>
  const problem = loopProblem(loop)
  const date = addDays(today, (weekday - weekdayOf(today) + weekdayOptions.length) % weekdayOptions.length)
  const { startsAt, endsAt } = shiftRange({ date, start: '00:00', end: '00:00', zone })
  return (
    <Stack gap={3} as="section">
      <Row gap={3} align="center" wrap between>
        <h3 id={label}>A day on the screens</h3>
        <Select<number>
          aria-labelledby={label}
          value={weekday}
          onChange={setWeekday}
          options={weekdayOptions}
          popupMatchSelectWidth={false}
        />
      </Row>
      {problem && <p role="alert">{problem}</p>}
      {!problem && startsAt !== undefined && endsAt !== undefined && (
        <LoopPlan loop={loop} names={names} from={startsAt} to={endsAt} />
      )}
    </Stack>
  )
}
