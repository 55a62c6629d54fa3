import { shifts, blocksTruck } from '@roadshow/contract/planning/shifts'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { ConfigProvider } from 'antd'
import { useRefreshAfter } from '../../../api/useSave.ts'
import { RowLink } from '../../../ui/rows/RowLink.tsx'
import { Row, Soft } from '../../../ui/layout.tsx'
import { formatMoment, zoneName } from '@roadshow/contract/platform/dates'
import { programColor } from '../programColor.ts'
import { ShiftStatusTag } from '../ShiftStatusTag.tsx'
import { StatusActions } from '../StatusActions.tsx'
import { endsNextDay, formatShiftHours, formatShiftTime, restText } from '../shiftText.ts'
import shared from './userSchedule.module.css'
import { showsRotation, useRotationWords } from '../../rotation/useRotation.ts'
import styles from './AgendaShift.module.css'

interface AgendaShiftProps {
  shift: Shift
  isOwn: boolean
  mayPlan: boolean
}

/** One shift with everything a driver needs to be at the right place, and the buttons to start and complete it. */
export function AgendaShift({ shift, isOwn, mayPlan }: AgendaShiftProps) {
  const { zone, program, status, reason } = shift
  const hours = formatShiftHours(shift)
  const rest = restText(shift)
  const refresh = useRefreshAfter(shifts.byDriver)
  return (
    <article
      className={shared.card}
      aria-label={formatShiftTime(shift)}
      data-taken={blocksTruck(status)}
      style={{ ['--program' as string]: programColor(program.uid) }}
    >
      <Row as="p" gap={2} lineGap={1} align="baseline" wrap className={shared.top}>
        <strong className={`figures ${shared.hours}`}>
          {mayPlan ? (
            <RowLink uid={shift.uid} to="/schedule/program-schedule">
              {hours}
            </RowLink>
          ) : (
            hours
          )}
        </strong>
        <Soft>{zoneName(zone, shift.startsAt)}</Soft>
        {endsNextDay(shift) && <span className={styles.next}>ends next day</span>}
      </Row>
      {rest && <p className={styles.short}>{rest}</p>}
      <ShiftFacts shift={shift} />
      {isOwn ? (
        // Large enough for a thumb.
        <ConfigProvider componentSize="large">
          <div className={styles.acts}>
            <StatusActions shift={shift} onDone={refresh} />
          </div>
        </ConfigProvider>
      ) : (
        <Row as="p" gap={2} lineGap={1} align="baseline" wrap className={shared.top}>
          <ShiftStatusTag status={status} />
          {reason && <Soft>{reason}</Soft>}
        </Row>
      )}
    </article>
  )
}

function ShiftFacts({ shift }: { shift: Shift }) {
  const rotation = useRotationWords(showsRotation(shift) ? shift.program.uid : undefined)
  const { zone, truck, program, client, market, artworkSet, addressSet, note, startedAt, stoppedAt } = shift
  const facts: [label: string, text: string | undefined][] = [
    ['Truck', truck.name],
    ['Market', market.name],
    ['Program', program.name],
    ['Client', client.name],
    ['Artwork set', artworkSet?.name ?? rotation],
    ['SD addresses', addressSet?.name],
    ['Started', startedAt ? formatMoment(startedAt, zone) : undefined],
    ['Completed', stoppedAt ? formatMoment(stoppedAt, zone) : undefined],
    ['Note', note],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([label, text]) =>
          text && (
            <div key={label} data-wide={label === 'Note'}>
              <dt>{label}</dt>
              <dd>{text}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
