import { isOnDay } from '@roadshow/contract/planning/stretch'
import { blocksTruck } from '@roadshow/contract/planning/shifts'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'
import { driverName, offOn } from './boardModel.ts'
import type { BoardIndex } from './boardModel.ts'
import { programColor } from '../programColor.ts'
import { DriverSigns } from '../DriverSigns.tsx'
import { ProgramStatusTag } from '../shiftColumns.tsx'
import { ShiftStatusTag } from '../ShiftStatusTag.tsx'
import { dayLabel, formatShiftHours, restText } from '../shiftText.ts'
import styles from './Agenda.module.css'

interface AgendaProps {
  index: BoardIndex
  days: readonly string[]
  today: string
  onOpen: (uid: string) => void
}

/** The shifts day by day, for phones: from today, with earlier days collapsed. */
export function Agenda({ index, days, today, onOpen }: AgendaProps) {
  // There are no free cells here: what the filters do not find is left out.
  const found = [...index.shifts.values()].filter(({ isMatch }) => isMatch)
  const shifts = found.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt))
  const earlier = days.includes(today) ? days.filter((day) => day < today) : []
  const dayOf = (day: string) => (
    <Day
      key={day}
      day={day}
      isToday={day === today}
      shifts={shifts.filter(({ date }) => date === day)}
      index={index}
      onOpen={onOpen}
    />
  )
  return (
    <Stack gap={4} className={styles.agenda}>
      {earlier.length > 0 && (
        <details>
          <summary>Earlier days</summary>
          <Stack gap={4} className={styles.agenda}>
            {earlier.map(dayOf)}
          </Stack>
        </details>
      )}
      {days.filter((day) => !earlier.includes(day)).map(dayOf)}
    </Stack>
  )
}

interface DayProps extends Pick<AgendaProps, 'index' | 'onOpen'> {
  day: string
  isToday: boolean
  shifts: readonly BoardShift[]
}

/** The trucks and drivers who cannot be planned on a day. */
function OutOfService({ index, day }: { index: BoardIndex; day: string }) {
  const off = offOn(index, day).map(({ driver }) => driver.name)
  const inShop = [...index.shopTimes].flatMap(([truck, times]) =>
    times.some((time) => isOnDay(time, day, time.zone)) ? [index.trucks.get(truck)?.number ?? 'truck'] : [],
  )
  if (off.length + inShop.length === 0) return null
  const parts = [
    ...(off.length > 0 ? [`Off: ${off.join(', ')}`] : []),
    ...(inShop.length > 0 ? [`In shop: ${inShop.join(', ')}`] : []),
  ]
  return (
    <Soft as="p" small>
      {parts.join(' · ')}
    </Soft>
  )
}

const Day = ({ day, isToday, shifts, index, onOpen }: DayProps) => (
  <section aria-labelledby={`day-${day}`}>
    <h2 id={`day-${day}`} data-today={isToday}>
      {dayLabel(day)}
      {isToday && ', today'}
    </h2>
    <OutOfService index={index} day={day} />
    {shifts.length === 0 && <Soft as="p">No shifts.</Soft>}
    <ul>
      {shifts.map((shift) => (
        <li key={shift.uid}>
          <button
            type="button"
            className={styles.shift}
            data-taken={blocksTruck(shift.status)}
            style={{ ['--program' as string]: programColor(shift.programUid) }}
            onClick={() => onOpen(shift.uid)}
          >
            <span className={styles.top}>
              <span className={`figures ${styles.hours}`}>{formatShiftHours(shift)}</span>
              <Row as="span" gap={2} lineGap={0} align="center" wrap right>
                <ShiftStatusTag status={shift.status} />
                <ProgramStatusTag status={index.programs.get(shift.programUid)?.status ?? 'active'} />
                <DriverSigns shift={shift} />
              </Row>
            </span>
            <span>
              {[index.trucks.get(shift.truckUid)?.number, driverName(index, shift)].filter(Boolean).join(' · ')}
            </span>
            <Soft>
              {index.programs.get(shift.programUid)?.name}, {index.markets.get(shift.marketUid)?.name}
              {shift.shortRestHours !== null && `. ${restText(shift)}`}
            </Soft>
          </button>
        </li>
      ))}
    </ul>
  </section>
)
