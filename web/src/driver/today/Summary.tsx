import { formatMinutes, formatWeekday, formatZonedTimes } from '@roadshow/contract/platform/dates'
import { formatMiles } from '@roadshow/contract/platform/distance'
import type { ReactNode } from 'react'
import { Stack } from '../../ui/layout.tsx'
import { useAppState, useLanguage, useWords } from '../context.ts'
import { waitingLines } from '../ui/queue-line.ts'
import type { ShiftSummary } from './summary-rules.ts'
import styles from '../shift/shift.module.css'

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

/** What the shift that was just stopped came to. It stays until the driver has seen it. */
export function Summary({ summary }: { summary: ShiftSummary }) {
  const words = useWords()
  const language = useLanguage()
  const state = useAppState()
  const { shift, minutes, metres, photos, next } = summary
  const { zone, startedAt, stoppedAt } = shift
  const pending = waitingLines(state, words)
  const isTimed = startedAt !== null && stoppedAt !== null
  return (
    <section className={`${styles.card} ${styles.hero}`}>
      <p className={styles.eyebrow}>
        {words.truck} {shift.truck.number} · {formatWeekday(shift.date, language)}
      </p>
      <h1>{words.shiftEnded}</h1>
      <Stack as="dl" gap={1} className={styles.facts}>
        <Fact name={words.summaryWorked}>
          <span className={`figures ${styles.when}`}>
            {minutes === null ? words.summaryHoursUnknown : formatMinutes(minutes)}
          </span>
          {isTimed && (
            <>
              <br />
              {formatZonedTimes(startedAt, stoppedAt, zone, language)}
            </>
          )}
        </Fact>
        <Fact name={words.summaryMiles}>
          <span className="figures">{metres === null ? words.summaryMilesLater : formatMiles(metres)}</span>
        </Fact>
        <Fact name={words.summaryPhotos}>
          <span className="figures">{photos}</span>
        </Fact>
        <Fact name={words.summaryPending}>
          {pending.length === 0
            ? words.queueEmpty
            : pending.map((text) => (
                <span key={text} className={styles.line}>
                  {text}
                </span>
              ))}
        </Fact>
        <Fact name={words.nextShift}>
          {next ? (
            <>
              {formatWeekday(next.date, language)}, {formatZonedTimes(next.startsAt, next.endsAt, next.zone, language)}
              <br />
              {words.truck} {next.truck.number} · {next.market}
            </>
          ) : (
            words.noNextShift
          )}
        </Fact>
      </Stack>
    </section>
  )
}
