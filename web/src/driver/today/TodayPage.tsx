import {
  formatDay,
  formatDays,
  formatMoment,
  formatWeekday,
  formatZonedTimes,
  localZone,
} from '@roadshow/contract/platform/dates'
import type { DriverAppShift, DriverDay } from '@roadshow/contract/live/driver-app'
import { useDeferredValue } from 'react'
import { List, Soft } from '../../ui/layout.tsx'
import { useApp, useAppState, useDay, useLanguage, useNow, useWords } from '../context.ts'
import { Link } from '../router.tsx'
import { NextActButton } from '../shift/NextAct.tsx'
import { currentShift, otherShifts } from '../shift-rules.ts'
import { ShiftCard } from '../shift/ShiftCard.tsx'
import { ShiftParts } from '../shift/ShiftParts.tsx'
import { TimeQuestions } from '../shift/TimeQuestions.tsx'
import { statusText } from '../shift/status-words.ts'
import { Button } from '../ui/Button.tsx'
import { Frame } from '../ui/Frame.tsx'
import { Summary } from './Summary.tsx'
import { summaryOf } from './summary-rules.ts'
import styles from '../shift/shift.module.css'

function ShiftRow({ shift }: { shift: DriverAppShift }) {
  const words = useWords()
  const language = useLanguage()
  const now = useNow()
  const answer = shift.answer?.answer
  return (
    <li>
      <Link to={`/shifts/${shift.uid}`} className={styles.row}>
        <strong>{formatWeekday(shift.date, language)}</strong>{' '}
        {formatZonedTimes(shift.startsAt, shift.endsAt, shift.zone, language)}
        <br />
        {words.truck} {shift.truck.number} · {shift.market}
        <br />
        <Soft small>
          {statusText(shift, now, words)}
          {answer && ` · ${answer === 'confirmed' ? words.confirmedShort : words.declinedShort}`}
        </Soft>
      </Link>
    </li>
  )
}

const ShiftRows = ({ shifts }: { shifts: readonly DriverAppShift[] }) => (
  <List gap={2}>
    {shifts.map((shift) => (
      <ShiftRow key={shift.uid} shift={shift} />
    ))}
  </List>
)

interface OtherShiftsParts {
  ahead: readonly DriverAppShift[]
  past: readonly DriverAppShift[]
  /** What to say where nothing is ahead. */
  none: string
}

function OtherShifts({ ahead, past, none }: OtherShiftsParts) {
  const words = useWords()
  return (
    <>
      <h2>{words.nextTwoWeeks}</h2>
      {ahead.length === 0 && <p>{none}</p>}
      <ShiftRows shifts={ahead} />
      {past.length > 0 && <h2>{words.lastTwoDays}</h2>}
      <ShiftRows shifts={past} />
    </>
  )
}

/** The driver's own days off, which the office set. */
function DaysOff({ daysOff }: { daysOff: DriverDay['daysOff'] }) {
  const words = useWords()
  const language = useLanguage()
  if (!daysOff || daysOff.length === 0) return null
  return (
    <>
      <h2>{words.daysOff}</h2>
      <List gap={2}>
        {daysOff.map(({ uid, from, to }) => (
          <li key={uid}>{to === null ? words.offSince(formatDay(from, language)) : formatDays(from, to, language)}</li>
        ))}
      </List>
    </>
  )
}

/** The running or next shift, then those of the next two weeks. */
export function TodayPage() {
  const words = useWords()
  const language = useLanguage()
  const now = useNow()
  const day = useDay()
  const app = useApp()
  const { isLoading, isOnline, loadedAt, stopped, queue } = useAppState()
  const summary = stopped && summaryOf(stopped, { day, queue, now })
  const shown = day && currentShift(day.shifts, now)
  const { ahead, past } = otherShifts(day?.shifts ?? [], shown, now)
  // The card shows first; the rest follows without holding up a touch.
  const isWhole = useDeferredValue(true, false)
  if (summary)
    return (
      <Frame
        action={
          <Button look="primary" onClick={() => void app.dismissSummary()}>
            {words.summaryDone}
          </Button>
        }
      >
        {day?.shifts.map((shift) => (
          <TimeQuestions key={shift.uid} shift={shift} />
        ))}
        <Summary summary={summary} />
      </Frame>
    )
  return (
    <Frame action={shown && <NextActButton shift={shown} />}>
      {!day && (
        <section className={isLoading ? `${styles.card} ${styles.hero}` : styles.part}>
          <h1>{words.today}</h1>
          <p>{isLoading ? words.loading : words.noDayYet}</p>
        </section>
      )}
      {day && !shown && <h1>{words.noShiftToday}</h1>}
      {day?.shifts.map((shift) => (
        <TimeQuestions key={shift.uid} shift={shift} />
      ))}
      {shown && <ShiftCard shift={shown} isHero />}
      {shown && isWhole && <ShiftParts shift={shown} />}
      {day && isWhole && <OtherShifts ahead={ahead} past={past} none={shown ? words.noOtherShifts : words.noShifts} />}
      {isWhole && <DaysOff daysOff={day?.daysOff} />}
      {!isOnline && loadedAt !== undefined && (
        <Soft as="p" small>
          {words.shownAsOf(formatMoment(loadedAt, localZone(), language))}
        </Soft>
      )}
    </Frame>
  )
}
