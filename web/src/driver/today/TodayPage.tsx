import { useAppState, useDay, useLanguage, useNow, useWords } from '../context.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { Frame } from '../ui/Frame.tsx'
import { currentShift, otherShifts } from '../shift/rules.ts'
import { dateText, timeText } from '../times.ts'

/** The running or next shift, then those of the next two weeks. */
export function TodayPage() {
  const words = useWords()
  const language = useLanguage()
  const now = useNow()
  const day = useDay()
  const { isLoading } = useAppState()
  const shown = day && currentShift(day.shifts, now)
  const others = day ? otherShifts(day.shifts, shown) : []
  return (
    <Frame>
      <h1>{shown ? `${words.truck} ${shown.truck.number}` : words.today}</h1>
      {!day && <p>{isLoading ? words.loading : words.noDayYet}</p>}
      {[...(shown ? [shown] : []), ...others].map((shift) => (
        <ButtonLink key={shift.uid} to={`/shifts/${shift.uid}`}>
          {dateText(shift.date, language)} {timeText(shift.startsAt, shift.zone, language)} {shift.truck.number}
        </ButtonLink>
      ))}
    </Frame>
  )
}
