import type { LineDelivery, PaceState } from '@roadshow/contract/proof/delivery'
import {
  amountWords,
  deliveredWords,
  forecastWords,
  missingDataWords,
  paceStateLabel,
  paceWords,
} from '@roadshow/contract/proof/delivery-words'
import { formatDays } from '@roadshow/contract/platform/dates'
import { addDays } from '@roadshow/contract/planning/shift-time'
import type { ReactNode } from 'react'
import { useIsOutsider } from '../../api/user.ts'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { PlaysLink, ShiftsLink } from '../pop/figureLinks.tsx'
import styles from './DeliveryLines.module.css'

const stateTone: Record<PaceState, Tone> = {
  none: 'silent',
  early: 'silent',
  ahead: 'driving',
  on: 'driving',
  behind: 'bad',
  done: 'parked',
  missed: 'bad',
}

/** How a line or a program is doing, with its pace in percent. */
export function PaceTag({ state, pace }: Pick<LineDelivery, 'state' | 'pace'>) {
  const isOutside = useIsOutsider()
  const tone = stateTone[state]
  return (
    // Alarm is for the office.
    <StateTag tone={isOutside && tone === 'bad' ? 'parked' : tone}>
      {pace === null ? paceStateLabel[state] : `${paceStateLabel[state]}, ${paceWords(pace)}`}
    </StateTag>
  )
}

const percentOf = (part: number, { line: { amount } }: LineDelivery) => `${Math.min(100, (100 * part) / amount)}%`

/** How much of a line is delivered; a mark stands where it should be by now. The words beside it say the same. */
function DeliveryBar({ delivery }: { delivery: LineDelivery }) {
  const isCalm = useIsOutsider()
  return (
    <div className={styles.bar} data-calm={isCalm} aria-hidden>
      <div
        className={styles.delivered}
        data-state={delivery.state}
        style={{ width: percentOf(delivery.delivered, delivery) }}
      />
      {delivery.expected > 0 && (
        <div className={styles.expected} style={{ insetInlineStart: percentOf(delivery.expected, delivery) }} />
      )}
    </div>
  )
}

interface RowsLinkProps {
  program: string
  line: LineDelivery['line']
  days: { from: string; to: string }
  children: ReactNode
}

/** Leads from what is delivered to its rows: the shifts that took place, or the plays. */
function RowsLink({ program, line, days, children }: RowsLinkProps) {
  const place = { program, market: line.market.uid, days }
  return line.unit === 'plays' ? (
    <PlaysLink {...place}>{children}</PlaysLink>
  ) : (
    <ShiftsLink {...place}>{children}</ShiftsLink>
  )
}

function DeliveredLine({ program, delivery }: { program: string; delivery: LineDelivery }) {
  const { line, expected, deliveredSince, through } = delivery
  const firstSince = through === null ? line.startsOn : addDays(through, 1)
  const missing = missingDataWords(delivery)
  return (
    <li className={styles.line}>
      <Row gap={4} lineGap={1} align="baseline" wrap between className={styles.head}>
        <h3>
          {line.market.name}: {amountWords(line.amount, line.unit)}
        </h3>
        <PaceTag {...delivery} />
      </Row>
      <Soft as="p">{formatDays(line.startsOn, line.endsOn)}</Soft>
      <DeliveryBar delivery={delivery} />
      <p className="figures">
        {through === null ? (
          deliveredWords(delivery)
        ) : (
          <RowsLink program={program} line={line} days={{ from: line.startsOn, to: through }}>
            {deliveredWords(delivery)}
          </RowsLink>
        )}
        {delivery.through !== null && <>, {amountWords(expected, line.unit)} expected by then</>}
        {deliveredSince > 0 && (
          <>
            ;{' '}
            <RowsLink program={program} line={line} days={{ from: firstSince, to: line.endsOn }}>
              {amountWords(deliveredSince, line.unit)}
            </RowsLink>{' '}
            since then
          </>
        )}
        {missing !== '' && <> ({missing})</>}
      </p>
      <p>{forecastWords(delivery)}</p>
    </li>
  )
}

interface DeliveryLinesProps {
  program: string
  lines: readonly LineDelivery[]
}

/** What is booked for a program, line by line, with what is delivered of it and what becomes of it. */
export const DeliveryLines = ({ program, lines }: DeliveryLinesProps) => (
  <List gap={4}>
    {lines.map((delivery) => (
      <DeliveredLine key={delivery.line.uid} program={program} delivery={delivery} />
    ))}
  </List>
)
