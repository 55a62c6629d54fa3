import { formatTimeOnly, formatZonedTimes } from '@roadshow/contract/platform/dates'
import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { useLanguage, useWords } from '../context.ts'
import { spanText } from '../times.ts'
import { OutsideLink } from '../ui/Button.tsx'
import type { Words } from '../words/index.ts'
import { directionsUrl } from './directions.ts'
import styles from './shift.module.css'

type Stop = DriverAppShift['stops'][number]

/** What the truck's track says about a stop, in words; undefined while there is nothing to say. */
function stopText(stop: Stop, time: (at: string) => string, words: Words): string | undefined {
  const { state, arrivedAt, leftAt, dwellMinutes } = stop
  if (arrivedAt && leftAt) return words.stopLeft(time(arrivedAt), time(leftAt), spanText((dwellMinutes ?? 0) * 60_000))
  if (arrivedAt) return words.stopArrived(time(arrivedAt))
  if (state === 'missed') return words.stopMissed
  return state === 'noData' ? words.stopNoData : undefined
}

const lookOf = ({ state }: Stop) => (state === 'onTime' ? styles.good : state === 'missed' ? styles.bad : styles.warn)

function OneStop({ stop, zone }: { stop: Stop; zone: string }) {
  const words = useWords()
  const language = useLanguage()
  const time = (at: string) => formatTimeOnly(at, zone, language)
  const told = stopText(stop, time, words)
  return (
    <Stack as="li" gap={2} className={styles.stop}>
      <p>
        <strong>{stop.name}</strong>
        <br />
        {formatZonedTimes(stop.opensAt, stop.closesAt, zone, language)}
      </p>
      {stop.minMinutes !== null && (
        <Soft as="p" small>
          {words.stopStay(spanText(stop.minMinutes * 60_000))}
        </Soft>
      )}
      {stop.note && <p className={styles.note}>{stop.note}</p>}
      {told && <p className={lookOf(stop)}>{told}</p>}
      <OutsideLink href={directionsUrl(stop, navigator.userAgent)} aria-label={words.navigateTo(stop.name)}>
        {words.navigate}
      </OutsideLink>
    </Stack>
  )
}

/** Where the truck should be, and when. A day that an earlier version kept has no stops. */
export function Stops({ stops, zone }: { stops: Stop[] | undefined; zone: string }) {
  const words = useWords()
  if (!stops || stops.length === 0) return null
  return (
    <section className={styles.part}>
      <h2>{words.stops}</h2>
      <List as="ol" gap={2}>
        {stops.map((stop, index) => (
          // Two stops may have the same name and window.
          // oxlint-disable-next-line react/no-array-index-key
          <OneStop key={index} stop={stop} zone={zone} />
        ))}
      </List>
    </section>
  )
}
