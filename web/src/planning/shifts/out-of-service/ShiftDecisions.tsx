import type { ShiftInStretch } from '@roadshow/contract/planning/out-of-service'
import { formatClocks, formatWeekday } from '@roadshow/contract/platform/dates'
import { countOf } from '@roadshow/contract/platform/figures'
import { Button, Select } from 'antd'
import { List, Row, Soft, Stack } from '../../../ui/layout.tsx'
import { reasonText } from '../../suggestions/reasonText.ts'
import { CANCEL } from './useStretch.ts'
import type { StretchState } from './useStretch.ts'
import styles from './ShiftDecisions.module.css'

interface ShiftDecisionsProps {
  over: 'truck' | 'driver'
  stretch: Pick<StretchState, 'shifts' | 'open' | 'more' | 'decisionOf' | 'decide'>
}

/** The shifts in the stretch, each with who takes it; the proposals are chosen to begin with. */
export function ShiftDecisions({ over, stretch: { shifts, open, more, decisionOf, decide } }: ShiftDecisionsProps) {
  if (shifts.length === 0) return null
  const uids = shifts.map(({ uid }) => uid)
  return (
    <Stack as="section" gap={2} aria-label="Shifts in this time">
      <Row gap={2} align="center" wrap between>
        <strong>{`${countOf(shifts.length, 'shift')} in this time`}</strong>
        <Button size="small" onClick={() => decide(uids, CANCEL)}>
          {shifts.length === 1 ? 'Cancel it' : 'Cancel all'}
        </Button>
      </Row>
      <List gap={2} divided>
        {shifts.map((shift) => (
          <li key={shift.uid} className={styles.shift}>
            <ShiftWords shift={shift} over={over} />
            <DecisionSelect
              shift={shift}
              over={over}
              value={decisionOf(shift)}
              onChange={(decision) => decide([shift.uid], decision)}
            />
          </li>
        ))}
      </List>
      {open.length > 0 && (
        <Soft role="status" as="p" tone="warn">
          {`No free ${over} was found for ${countOf(open.length, 'shift')}. Choose one, or cancel.`}{' '}
          <Button
            size="small"
            onClick={() =>
              decide(
                open.map(({ uid }) => uid),
                CANCEL,
              )
            }
          >{`Cancel ${open.length === 1 ? 'it' : `these ${open.length}`}`}</Button>
        </Soft>
      )}
      {more > 0 && (
        <Soft role="alert" as="p" tone="warn">
          {`${countOf(more, 'more shift')} in this time. Choose an earlier last day, and the rest afterwards.`}
        </Soft>
      )}
    </Stack>
  )
}

const ShiftWords = ({ shift, over }: { shift: ShiftInStretch; over: 'truck' | 'driver' }) => (
  <div>
    <div className="figures">{`${formatWeekday(shift.date)}, ${formatClocks(shift)}`}</div>
    <Soft small>
      {[over === 'truck' ? shift.driver.name : shift.truck.name, shift.program.name, shift.market.name].join(' · ')}
    </Soft>
  </div>
)

interface DecisionSelectProps {
  shift: ShiftInStretch
  over: 'truck' | 'driver'
  value: string | undefined
  onChange: (decision: string) => void
}

interface ChoiceOption {
  value: string
  label: string
  reasons: string
}

const renderChoice = ({ data }: { data: ChoiceOption }) => (
  <span className={styles.option}>
    {data.label}
    {data.reasons !== '' && <small>{data.reasons}</small>}
  </span>
)

function DecisionSelect({ shift, over, value, onChange }: DecisionSelectProps) {
  const options: ChoiceOption[] = shift.choices.map(({ uid, name, reasons }) => ({
    value: uid,
    label: name,
    reasons: reasons
      .filter(({ kind }) => kind !== 'free')
      .map((reason) => reasonText(reason, `${shift.date}T12:00:00Z`).text)
      .join(' · '),
  }))
  options.push({ value: CANCEL, label: 'Cancel the shift', reasons: '' })
  return (
    <Select<string, ChoiceOption>
      className={styles.choice ?? ''}
      aria-label={`${over === 'truck' ? 'Truck' : 'Driver'} for ${formatWeekday(shift.date)}, ${formatClocks(shift)}`}
      placeholder={over === 'truck' ? 'Choose a truck' : 'Choose a driver'}
      value={value ?? null}
      options={options}
      onChange={onChange}
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={360}
      optionRender={renderChoice}
    />
  )
}
