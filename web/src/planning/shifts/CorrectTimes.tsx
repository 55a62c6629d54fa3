import { clockAt } from '@roadshow/contract/platform/dates'
import { instantAt, localDay } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { Shift } from '@roadshow/contract/planning/shifts'
import { Alert, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { DayPicker } from '../../ui/form/DayPicker.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ClockInput } from '../../ui/form/ClockInput.tsx'
import { formatShiftTime } from './shiftText.ts'
import styles from './shiftTabs.module.css'

/** A day and a time on the market's clocks; an empty day means no time. */
interface LocalTime {
  day: string
  clock: string
}

const NO_TIME: LocalTime = { day: '', clock: '' }

const localTimeOf = (instant: string, zone: string): LocalTime => ({
  day: localDay(zone, Date.parse(instant)),
  clock: clockAt(instant, zone),
})

const toIso = ({ day, clock }: LocalTime, zone: string): string | undefined => {
  const at = day && /^\d{2}:\d{2}$/.test(clock) ? instantAt(day, clock, zone) : undefined
  return at === undefined || Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** The times and the reason as typed, and the call that saves them. */
function useCorrection(shift: Shift, onSaved: () => void) {
  const { uid, version, zone } = shift
  const save = useSave(shifts.correctTimes)
  const notice = useNotice()
  const [start, setStart] = useState(localTimeOf(shift.startedAt ?? shift.startsAt, zone))
  const [stop, setStop] = useState(() => {
    if (shift.stoppedAt) return localTimeOf(shift.stoppedAt, zone)
    return Date.parse(shift.endsAt) < Date.now() ? localTimeOf(shift.endsAt, zone) : NO_TIME
  })
  const [reason, setReason] = useState('')
  const startedAt = toIso(start, zone)
  const hasStop = stop.day !== '' || stop.clock !== ''
  const stoppedAt = hasStop ? toIso(stop, zone) : null
  return {
    start,
    setStart,
    stop,
    setStop,
    reason,
    setReason,
    save,
    isComplete: startedAt !== undefined && stoppedAt !== undefined && reason.trim() !== '',
    submit: async () => {
      if (startedAt === undefined || stoppedAt === undefined) return
      try {
        await save.mutateAsync({ body: { uid, version, startedAt, stoppedAt, reason: reason.trim() } })
        notice('Times corrected.')
        onSaved()
      } catch {
        // The dialog shows the error.
      }
    },
  }
}

interface CorrectTimesProps {
  shift: Shift
  onClose: () => void
  onDone: () => void
}

/** Corrects the actual start and end of a shift, with a reason that the history keeps. */
export function CorrectTimes({ shift, onClose, onDone }: CorrectTimesProps) {
  const correction = useCorrection(shift, () => {
    onClose()
    onDone()
  })
  const { save, reason, setReason } = correction
  const reasonId = useId()
  const problems = save.error instanceof ApiError ? save.error.fields : {}
  return (
    <Modal
      open
      title="Correct times"
      okText="Save times"
      width={416}
      centered
      confirmLoading={save.isPending}
      okButtonProps={{ disabled: !correction.isComplete }}
      onOk={() => void correction.submit()}
      onCancel={onClose}
    >
      <p>
        {shift.driver?.name} · {shift.truck.name} · {formatShiftTime(shift)}. Times are in {shift.zone}. Later reports
        of the driver do not change corrected times.
      </p>
      <TimeFields
        label="Started"
        value={correction.start}
        onChange={correction.setStart}
        problem={problems.startedAt}
      />
      <TimeFields
        label="Stopped"
        value={correction.stop}
        onChange={correction.setStop}
        problem={problems.stoppedAt}
        hint="If empty, the shift is out."
      />
      <label htmlFor={reasonId}>Reason</label>
      <Input id={reasonId} value={reason} maxLength={300} onChange={({ target }) => setReason(target.value)} />
      {save.error && Object.keys(problems).length === 0 && (
        <Alert type="error" role="alert" title={errorMessage(save.error)} />
      )}
    </Modal>
  )
}

interface TimeFieldsProps {
  label: string
  value: LocalTime
  onChange: (value: LocalTime) => void
  problem: string | undefined
  hint?: string
}

function TimeFields({ label, value, onChange, problem, hint }: TimeFieldsProps) {
  const [dayId, clockId] = [useId(), useId()]
  return (
    <div className={styles.time}>
      <div>
        <label htmlFor={dayId}>{label} on</label>
        <DayPicker isDraft id={dayId} value={value.day} onChange={(day) => onChange({ ...value, day: day ?? '' })} />
      </div>
      <div>
        <label htmlFor={clockId}>{label} at</label>
        <ClockInput id={clockId} value={value.clock} onChange={(clock) => onChange({ ...value, clock })} />
      </div>
      {hint && <p className={styles.hint}>{hint}</p>}
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}
