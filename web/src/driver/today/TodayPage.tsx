import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { useAppState, useDay, useLanguage, useNow, useWords } from '../context.ts'
import { Link } from '../router.tsx'
import { NextActButton } from '../shift/NextAct.tsx'
import { currentShift, otherShifts } from '../shift/rules.ts'
import { ShiftCard } from '../shift/ShiftCard.tsx'
import { ShiftParts } from '../shift/ShiftParts.tsx'
import { statusText } from '../shift/status-words.ts'
import { dateText, momentText, phoneZone, timeText } from '../times.ts'
import { Frame } from '../ui/Frame.tsx'
import styles from '../shift/shift.module.css'

function ShiftRow({ shift }: { shift: DriverAppShift }) {
  const words = useWords()
  const language = useLanguage()
  const now = useNow()
  const answer = shift.answer?.answer
  return (
    <li>
      <Link to={`/shifts/${shift.uid}`} className={styles.row}>
        <strong>{dateText(shift.date, language)}</strong>{' '}
        {words.from(
          timeText(shift.startsAt, shift.zone, language, false),
          timeText(shift.endsAt, shift.zone, language),
        )}
        <br />
        {words.truck} {shift.truck.number} · {shift.market}
        <br />
        <span className={styles.soft}>
          {statusText(shift, now, words)}
          {answer && ` · ${answer === 'confirmed' ? words.confirmedShort : words.declinedShort}`}
        </span>
      </Link>
    </li>
  )
}

const ShiftRows = ({ shifts }: { shifts: readonly DriverAppShift[] }) => (
  <ul className={styles.rows}>
    {shifts.map((shift) => (
      <ShiftRow key={shift.uid} shift={shift} />
    ))}
  </ul>
)

/** The running or next shift, then those of the next two weeks. */
export function TodayPage() {
  const words = useWords()
  const language = useLanguage()
  const now = useNow()
  const day = useDay()
  const { isLoading, isOnline, loadedAt } = useAppState()
  const shown = day && currentShift(day.shifts, now)
  const { ahead, past } = otherShifts(day?.shifts ?? [], shown, now)
  return (
    <Frame action={shown && <NextActButton shift={shown} />}>
      {!day && <h1>{words.today}</h1>}
      {!day && <p>{isLoading ? words.loading : words.noDayYet}</p>}
      {day && !shown && <h1>{words.noShiftToday}</h1>}
      {shown && <ShiftCard shift={shown} isHero />}
      {shown && <ShiftParts shift={shown} />}
      {day && <h2>{words.nextTwoWeeks}</h2>}
      {day && ahead.length === 0 && <p>{shown ? words.noOtherShifts : words.noShifts}</p>}
      <ShiftRows shifts={ahead} />
      {past.length > 0 && <h2>{words.lastTwoDays}</h2>}
      <ShiftRows shifts={past} />
      {!isOnline && loadedAt !== undefined && (
        <p className={styles.soft}>{words.shownAsOf(momentText(loadedAt, phoneZone(), language))}</p>
      )}
    </Frame>
  )
}
