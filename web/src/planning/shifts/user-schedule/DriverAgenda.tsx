import { formatDay, formatDays } from '@roadshow/contract/platform/dates'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { DriverShifts } from '@roadshow/contract/planning/shifts'
import { useMay } from '../../../api/user.ts'
import { List, Soft, Stack } from '../../../ui/layout.tsx'
import { SkeletonLines } from '../../../ui/states.tsx'
import { dayLabel, rowName } from '../shiftText.ts'
import { AgendaShift } from './AgendaShift.tsx'
import shared from './userSchedule.module.css'
import styles from './DriverAgenda.module.css'

interface DriverAgendaProps {
  drivers: readonly DriverShifts[]
  today: string
  /** The drivers' own shifts need no name above them. */
  isOwn: boolean
}

/** Shifts day by day: a driver's own, or on a phone those of each driver. */
export function DriverAgenda({ drivers, today, isOwn }: DriverAgendaProps) {
  const mayPlan = useMay(shifts.update)
  return (
    <div className={styles.agenda}>
      {drivers.map(({ driver, shifts: own, timeOff }) => {
        const days = [...new Set(own.map(({ date }) => date))]
        const Heading = isOwn ? 'h2' : 'h3'
        return (
          <section key={driver?.uid ?? ''} aria-label={rowName(driver)} className={styles.driver}>
            {!isOwn && <h2>{rowName(driver)}</h2>}
            {timeOff.map(({ uid, from, to, reason }) => (
              <p key={uid} className={shared.off}>
                {`Off ${to === null ? `from ${formatDay(from)} until further notice` : formatDays(from, to)}${reason === '' ? '' : `: ${reason}`}`}
              </p>
            ))}
            {own.length === 0 && <Soft as="p">No shifts on these days.</Soft>}
            {days.map((day) => (
              <Stack key={day} gap={2}>
                <Heading data-today={day === today}>
                  {dayLabel(day)}
                  {day === today && ', today'}
                </Heading>
                <List gap={1}>
                  {own
                    .filter(({ date }) => date === day)
                    .map((shift) => (
                      <li key={shift.uid}>
                        <AgendaShift shift={shift} isOwn={isOwn} mayPlan={mayPlan} />
                      </li>
                    ))}
                </List>
              </Stack>
            ))}
          </section>
        )
      })}
    </div>
  )
}

export const AgendaSkeleton = () => (
  <div className={styles.agenda}>
    <SkeletonLines rows={5} />
    <SkeletonLines rows={5} />
  </div>
)
