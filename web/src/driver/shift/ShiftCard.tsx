import { formatTime, formatWeekday, formatZonedTimes } from '@roadshow/contract/platform/dates'
import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { Stack } from '../../ui/layout.tsx'
import { useLanguage, useNow, useWords } from '../context.ts'
import { OutsideLink } from '../ui/Button.tsx'
import { directionsUrl } from './directions.ts'
import { shiftPhase } from '../shift-rules.ts'
import { statusText } from './status-words.ts'
import styles from './shift.module.css'

/** What set a time, unless the driver did. */
function TimeSource({ setBy }: { setBy: DriverAppShift['startSetBy'] }) {
  const words = useWords()
  if (!setBy || setBy === 'driver') return null
  const texts = { office: words.timeSetByOffice, correction: words.timeCorrected, system: words.timeSetBySystem }
  return <small> · {texts[setBy]}</small>
}

/** When and where, and how far it is. */
function Times({ shift }: { shift: DriverAppShift }) {
  const words = useWords()
  const language = useLanguage()
  const now = useNow()
  const { zone, startedAt, stoppedAt } = shift
  const time = (at: string) => formatTime(at, zone, language)
  return (
    <div>
      <p className={styles.when}>{formatWeekday(shift.date, language)}</p>
      <p className={styles.when}>{formatZonedTimes(shift.startsAt, shift.endsAt, zone, language)}</p>
      {startedAt && (
        <p>
          {words.startedAt(time(startedAt))}
          <TimeSource setBy={shift.startSetBy} />
        </p>
      )}
      {stoppedAt && (
        <p>
          {words.stoppedAt(time(stoppedAt))}
          <TimeSource setBy={shift.stopSetBy} />
        </p>
      )}
      {shiftPhase(shift, now) === 'runningOver' && <p>{words.runningOverBy(time(shift.endsAt))}</p>}
    </div>
  )
}

/** The card that fills the first screen: which truck, where and when. */
export function ShiftCard({ shift, isHero = false }: { shift: DriverAppShift; isHero?: boolean }) {
  const words = useWords()
  const now = useNow()
  const { truck, yard } = shift
  // Elsewhere the page has a title of its own.
  const Title = isHero ? 'h1' : 'h2'
  return (
    <section className={`${styles.card} ${isHero ? styles.hero : ''}`}>
      <p className={styles.eyebrow}>{statusText(shift, now, words)}</p>
      <div>
        <Title>{words.truck}</Title>
        <p className={styles.truck}>{truck.number}</p>
        {truck.plate && <p>{words.plate(truck.plate)}</p>}
      </div>
      <Times shift={shift} />
      <Stack as="dl" gap={1} className={styles.facts}>
        <dt>{words.market}</dt>
        <dd>{shift.market}</dd>
        <dt>{words.program}</dt>
        <dd>
          {shift.program} · {shift.client}
        </dd>
        {yard && <dt>{words.yard}</dt>}
        {yard && <dd>{yard.name}</dd>}
      </Stack>
      {yard && (
        <OutsideLink href={directionsUrl(yard, navigator.userAgent)} aria-label={words.navigateTo(yard.name)}>
          {words.navigate}
        </OutsideLink>
      )}
    </section>
  )
}
