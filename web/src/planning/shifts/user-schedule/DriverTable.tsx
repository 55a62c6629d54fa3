import { formatClocks } from '@roadshow/contract/platform/dates'
import { shifts, shiftStatusLabel, blocksTruck } from '@roadshow/contract/planning/shifts'
import type { DriverShifts, Shift } from '@roadshow/contract/planning/shifts'
import { useIsOutsider, useMay } from '../../../api/user.ts'
import { RowLink } from '../../../ui/rows/RowLink.tsx'
import { List, Soft } from '../../../ui/layout.tsx'
import { SkeletonLine } from '../../../ui/states.tsx'
import { useOutOfServiceParam } from '../out-of-service/useOutOfServiceParam.ts'
import { programColor } from '../programColor.ts'
import { dayLabel, endsNextDay, restText, rowName } from '../shiftText.ts'
import shared from './userSchedule.module.css'
import styles from './DriverTable.module.css'

interface DriverTableProps {
  /** Undefined while they load. */
  drivers: readonly DriverShifts[] | undefined
  days: readonly string[]
  today: string
}

const SKELETON_ROWS = [0, 1, 2, 3, 4, 5]

/** Drivers down, days across. */
export function DriverTable({ drivers, days, today }: DriverTableProps) {
  const mayPlan = useMay(shifts.update)
  const isOutside = useIsOutsider()
  const label = isOutside ? 'Shifts by day' : 'Drivers and days'
  return (
    // Two weeks are wider than most windows: the arrow keys scroll them without a pointer.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.scroller} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table} style={{ ['--days' as string]: days.length }}>
        <thead>
          <tr>
            <th scope="col" className={styles.first}>
              {isOutside ? 'Trucks' : 'Driver'}
            </th>
            {days.map((day) => (
              <th key={day} scope="col" data-today={day === today} aria-current={day === today ? 'date' : undefined}>
                {dayLabel(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {!drivers &&
            SKELETON_ROWS.map((row) => (
              <tr key={row}>
                <th className={styles.first}>
                  <SkeletonLine />
                </th>
                {days.map((day) => (
                  <td key={day}>
                    <SkeletonLine />
                  </td>
                ))}
              </tr>
            ))}
          {drivers?.map(({ driver, shifts: own, timeOff }) => (
            <tr key={driver?.uid ?? ''}>
              <th scope="row" className={styles.first}>
                {rowName(driver)}
              </th>
              {days.map((day) => (
                <td key={day} data-today={day === today}>
                  <DayOff timeOff={timeOff} day={day} driverUid={driver?.uid} mayPlan={mayPlan} />
                  <DayShifts shifts={own.filter(({ date }) => date === day)} mayPlan={mayPlan} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface DayOffProps {
  timeOff: DriverShifts['timeOff']
  day: string
  driverUid: string | undefined
  mayPlan: boolean
}

/** Whether the driver is off on a day; planners change it here. */
function DayOff({ timeOff, day, driverUid, mayPlan }: DayOffProps) {
  const [, ask] = useOutOfServiceParam()
  const found = timeOff.find(({ from, to }) => from <= day && (to === null || to >= day))
  if (!found) return null
  const words = found.reason === '' ? 'Off' : `Off: ${found.reason}`
  return mayPlan ? (
    <button
      type="button"
      className={shared.off}
      title={words}
      onClick={() => ask({ over: 'driver', of: driverUid, uid: found.uid })}
    >
      {words}
    </button>
  ) : (
    <span className={shared.off} title={words}>
      {words}
    </span>
  )
}

const DayShifts = ({ shifts: own, mayPlan }: { shifts: readonly Shift[]; mayPlan: boolean }) =>
  own.length > 0 && (
    <List gap={1}>
      {own.map((shift) => (
        <li
          key={shift.uid}
          className={shared.shift}
          data-taken={blocksTruck(shift.status)}
          style={{ ['--program' as string]: programColor(shift.program.uid) }}
        >
          <ShiftCell shift={shift} mayPlan={mayPlan} />
        </li>
      ))}
    </List>
  )

function ShiftCell({ shift, mayPlan }: { shift: Shift; mayPlan: boolean }) {
  const { start, end, truck, program, status } = shift
  const rest = restText(shift)
  const hours = formatClocks({ start, end })
  return (
    <>
      <span className={styles.line}>
        <span className={`figures ${shared.hours}`}>
          {mayPlan ? (
            <RowLink uid={shift.uid} to="/schedule/program-schedule">
              {hours}
            </RowLink>
          ) : (
            hours
          )}
        </span>
        {endsNextDay(shift) && <abbr title="Ends on the next day">+1</abbr>}
      </span>
      <span className={styles.line}>
        <span className={styles.text}>
          <strong>{truck.name}</strong> {program.name}
        </span>
        {rest && (
          <span role="img" className={styles.rest} aria-label={rest} title={rest}>
            !
          </span>
        )}
      </span>
      {status !== 'planned' && <Soft>{shiftStatusLabel[status]}</Soft>}
    </>
  )
}
