import { countFillShifts, fillRules, MAX_FILL_SHIFTS } from '@roadshow/contract/planning/fill'
import type { FillRule } from '@roadshow/contract/planning/fill'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { shifts } from '@roadshow/contract/planning/shifts'
import { Alert, Button, Checkbox, Drawer, InputNumber } from 'antd'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { ApiError, errorMessage } from '../../../api/call.ts'
import { useList } from '../../../api/useList.ts'
import { DayPicker } from '../../../ui/form/DayPicker.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { RecordSelect } from '../../../ui/form/RecordSelect.tsx'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'
import { ClockInput } from '../../../ui/form/ClockInput.tsx'
import { plannedProgramLookup } from '../shiftLookups.ts'
import { mondayOf } from '../useSchedule.ts'
import { relaxLabel } from './fillText.ts'
import type { FillInput } from './useFill.ts'
import { weekdayOptions } from '../../../ui/text/weekdays.ts'
import styles from './Fill.module.css'

const RULES = fillRules.map((value) => ({ value, label: relaxLabel[value] }))

/** Two weeks from the next Monday on, in the day time. */
export function blankRequest(today: string, programUid: string): FillInput {
  const from = addDays(mondayOf(today), 7)
  return {
    programUid,
    markets: [],
    from,
    to: addDays(from, 13),
    weekdays: [1, 2, 3, 4, 5],
    start: '08:00',
    end: '16:00',
    relax: [],
  }
}

interface FillFormProps {
  initial: FillInput
  onStart: (request: FillInput) => Promise<unknown>
  onClose: () => void
}

/** Asks for the program, markets, days and hours to fill. */
export function FillForm({ initial, onStart, onClose }: FillFormProps) {
  const [draft, setDraft] = useState(initial)
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const change = (changes: Partial<FillInput>) => setDraft((before) => ({ ...before, ...changes }))
  const problems = error instanceof ApiError ? (error.fields ?? {}) : {}
  const markets = useMarkets(draft)
  const request = { ...draft, markets }
  const count = request.from && request.to && request.from <= request.to ? countFillShifts(request) : 0
  const start = async () => {
    setBusy(true)
    try {
      await onStart(request)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const footer = (
    <Row gap={2} wrap right>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="primary" loading={isBusy} disabled={count === 0} onClick={() => void start()}>
        Find trucks and drivers
      </Button>
    </Row>
  )
  return (
    <Drawer open onClose={onClose} size={520} title="Fill the schedule" footer={footer}>
      <Stack gap={3}>
        {error !== undefined && <Alert type="error" role="alert" title={errorMessage(error)} />}
        <Labeled label="Program" problem={problems['programUid']}>
          {(id) => (
            <RecordSelect
              id={id}
              lookup={plannedProgramLookup}
              current={undefined}
              value={draft.programUid}
              onChange={(programUid: string) => change({ programUid, markets: [] })}
            />
          )}
        </Labeled>
        <MarketRows draft={draft} problem={problems['markets']} onChange={(next) => change({ markets: next })} />
        <Row gap={3} className={styles.pair}>
          <Labeled label="First day" problem={problems['from']}>
            {(id) => <DayPicker isDraft id={id} value={draft.from} onChange={(day) => change({ from: day ?? '' })} />}
          </Labeled>
          <Labeled label="Last day" problem={problems['to']}>
            {(id) => <DayPicker isDraft id={id} value={draft.to} onChange={(day) => change({ to: day ?? '' })} />}
          </Labeled>
        </Row>
        <fieldset className={styles.group}>
          <legend>Days of the week</legend>
          <Checkbox.Group<number>
            options={weekdayOptions}
            value={draft.weekdays}
            onChange={(weekdays) => change({ weekdays })}
          />
          {problems['weekdays'] && (
            <Soft as="p" tone="bad">
              {problems['weekdays']}
            </Soft>
          )}
        </fieldset>
        <Row gap={3} className={styles.pair}>
          <Labeled label="Start" problem={problems['start']}>
            {(id) => <ClockInput id={id} value={draft.start} onChange={(clock) => change({ start: clock })} />}
          </Labeled>
          <Labeled label="End" problem={problems['end']}>
            {(id) => <ClockInput id={id} value={draft.end} onChange={(clock) => change({ end: clock })} />}
          </Labeled>
        </Row>
        <fieldset className={styles.group}>
          <legend>Allow</legend>
          <Checkbox.Group<FillRule>
            className={styles.rules ?? ''}
            options={RULES}
            value={draft.relax ?? []}
            onChange={(relax) => change({ relax })}
          />
        </fieldset>
        <p role="status">
          {count > MAX_FILL_SHIFTS
            ? `That is ${countOf(count, 'shift')}; at most ${MAX_FILL_SHIFTS} can be filled at once.`
            : `${countOf(count, 'shift')} in all. Shifts that are planned already count.`}
        </p>
      </Stack>
    </Drawer>
  )
}

interface LabeledProps {
  label: string
  problem: string | undefined
  children: (id: string) => ReactNode
}

function Labeled({ label, problem, children }: LabeledProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {problem && (
        <Soft as="p" tone="bad">
          {problem}
        </Soft>
      )}
    </div>
  )
}

/** The markets of the chosen program. */
function useProgramMarkets(programUid: string) {
  const { data } = useList(shifts.programs, { uid: programUid }, Boolean(programUid))
  return data?.data.find(({ uid }) => uid === programUid)?.markets ?? []
}

/** A truck in each market of the program, until the planner says otherwise. */
function useMarkets({ programUid, markets }: FillInput): FillInput['markets'] {
  const all = useProgramMarkets(programUid)
  return all.flatMap(({ uid }) => {
    const trucks = markets.find(({ marketUid }) => marketUid === uid)?.trucks ?? 1
    return trucks > 0 ? [{ marketUid: uid, trucks }] : []
  })
}

interface MarketRowsProps {
  draft: FillInput
  problem: string | undefined
  onChange: (markets: FillInput['markets']) => void
}

function MarketRows({ draft, problem, onChange }: MarketRowsProps) {
  const all = useProgramMarkets(draft.programUid)
  const trucksIn = (uid: string) => draft.markets.find(({ marketUid }) => marketUid === uid)?.trucks ?? 1
  const set = (uid: string, trucks: number) =>
    onChange([...draft.markets.filter(({ marketUid }) => marketUid !== uid), { marketUid: uid, trucks }])
  return (
    <fieldset className={styles.group}>
      <legend>Trucks per day in each market</legend>
      {all.length === 0 && <Soft as="p">Choose a program first.</Soft>}
      {all.map(({ uid, name }) => (
        <Labeled key={uid} label={name} problem={undefined}>
          {(id) => (
            <InputNumber
              id={id}
              min={0}
              max={100}
              precision={0}
              value={trucksIn(uid)}
              onChange={(trucks) => set(uid, trucks ?? 0)}
            />
          )}
        </Labeled>
      ))}
      {problem && (
        <Soft as="p" tone="bad">
          {problem}
        </Soft>
      )}
    </fieldset>
  )
}
