import type {
  ShiftPlanChange,
  ShiftPlanChangeKind,
  ShiftPlanChangeResult,
} from '@roadshow/contract/planning/shift-plan-changes'
import { shiftPlanChanges } from '@roadshow/contract/planning/shift-plan-changes'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Checkbox, Input, InputNumber, Modal, Select } from 'antd'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { call, errorMessage } from '../../../../api/call.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import { RecordSelect } from '../../../../ui/form/RecordSelect.tsx'
import { SlowSave } from '../../../../ui/form/SlowSave.tsx'
import { Row, Stack } from '../../../../ui/layout.tsx'
import { ErrorState } from '../../../../ui/states.tsx'
import { driverLookup } from '../../shiftLookups.ts'
import { planChangeWords } from './planChangeWords.ts'
import { boardShiftName } from '../boardModel.ts'
import type { BoardIndex } from '../boardModel.ts'
import { stepTarget } from '../placement/placement.ts'
import { truckChoices } from './truckChoices.ts'
import type { TruckChoice } from './truckChoices.ts'
import { LateArrivals, refusedCount, RefusalGroups } from './RefusalGroups.tsx'
import type { PlanChangesControl } from './usePlanChanges.ts'
import styles from './PlanChangeDialog.module.css'

interface PlanChangeDialogProps {
  kind: ShiftPlanChangeKind
  shifts: readonly BoardShift[]
  index: BoardIndex
  planChanges: Pick<PlanChangesControl, 'apply' | 'finish'>
  onClose: () => void
  onDone: () => void
}

interface PlanChangeValues {
  days: number
  hours: number
  truckUid: string | undefined
  driverUid: string | undefined
  reason: string
}

/** The change, as soon as everything that it needs is filled in. */
function toPlanChange(
  kind: ShiftPlanChangeKind,
  shifts: readonly BoardShift[],
  values: PlanChangeValues,
): ShiftPlanChange | undefined {
  const seen = shifts.map(({ uid, version }) => ({ uid, version }))
  const { days, hours, truckUid, driverUid } = values
  const reason = values.reason.trim()
  if (kind === 'driver') return driverUid ? { kind, shifts: seen, driverUid } : undefined
  if (kind === 'cancel') return reason ? { kind, shifts: seen, reason } : undefined
  if (kind === 'delete') return { kind, shifts: seen }
  if (days === 0 && hours === 0 && truckUid === undefined) return undefined
  const step = { days, minutes: Math.round(hours * 60), truckUid }
  return { kind, shifts: shifts.map((shift) => ({ ...shift, ...stepTarget(shift, step) })).map(placeOf) }
}

const placeOf = ({ uid, version, truckUid, date, start, end }: BoardShift) => ({
  uid,
  version,
  truckUid,
  date,
  start,
  end,
})

/** The values of the dialog, and what the server says of them before anything is saved. */
function usePlanChange({ kind, shifts }: PlanChangeDialogProps) {
  const [values, setValues] = useState<PlanChangeValues>({
    days: kind === 'copy' ? 7 : 0,
    hours: 0,
    truckUid: undefined,
    driverUid: undefined,
    reason: '',
  })
  const [partly, setPartly] = useState(false)
  const [allowInactiveProgram, setAllowed] = useState(false)
  const act = toPlanChange(kind, shifts, values)
  // Which shifts can be canceled does not depend on the reason.
  const asked = toPlanChange(kind, shifts, { ...values, reason: '-' })
  const preview = useQuery({
    queryKey: ['shift-act', asked, allowInactiveProgram],
    queryFn: async ({ signal }) => {
      if (!asked) return null
      const body = { act: asked, save: false, allowInactiveProgram }
      return (await call(shiftPlanChanges.apply, { body }, { signal })).data
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const set = (changes: Partial<PlanChangeValues>) => setValues((before) => ({ ...before, ...changes }))
  return { act, values, set, partly, setPartly, allowInactiveProgram, setAllowed, preview }
}

/** Does one thing to several shifts: says first what would happen, and which shifts are refused why. */
export default function PlanChangeDialog(props: PlanChangeDialogProps) {
  const { kind, shifts, index, planChanges, onClose, onDone } = props
  const { act, preview, partly, ...state } = usePlanChange(props)
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<unknown>()
  const words = planChangeWords[kind]
  const result = preview.data ?? undefined
  const refused = refusedCount(result?.refused ?? [])
  const accepted = result?.accepted ?? 0

  const save = async () => {
    if (!act) return
    setSaving(true)
    try {
      const saved = await planChanges.apply(act, { partly, allowInactiveProgram: state.allowInactiveProgram })
      if (saved.saved) {
        planChanges.finish(saved.undoUid, words.done(saved.accepted))
        onDone()
        return onClose()
      }
      void preview.refetch()
    } catch (failure) {
      setError(failure)
    }
    setSaving(false)
  }

  return (
    <Modal
      open
      centered
      title={`${words.act(shifts.length)}?`}
      okText={words.act(accepted > 0 ? accepted : shifts.length)}
      cancelText="Keep as is"
      okButtonProps={{
        danger: kind === 'delete',
        disabled: !act || accepted === 0 || preview.isFetching || (refused > 0 && !partly),
      }}
      confirmLoading={isSaving}
      onOk={() => void save()}
      onCancel={onClose}
    >
      {shifts.length === 1 && shifts[0] && <p>{boardShiftName(index, shifts[0])}</p>}
      <ActFields kind={kind} shifts={shifts} index={index} values={state.values} set={state.set} />
      {error !== undefined && <Alert type="error" role="alert" title={errorMessage(error)} />}
      {preview.isError && <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />}
      {result && <PlanChangePreview kind={kind} result={result} partly={partly} {...state} />}
      <SlowSave isBusy={isSaving} />
    </Modal>
  )
}

// Inside the dialog, which would cover the list otherwise.
const inDialog = (field: HTMLElement) => field.parentElement ?? document.body

interface ActFieldsProps {
  kind: ShiftPlanChangeKind
  shifts: readonly BoardShift[]
  index: BoardIndex
  values: PlanChangeValues
  set: (changes: Partial<PlanChangeValues>) => void
}

function ActFields({ kind, shifts, index, values, set }: ActFieldsProps) {
  if (kind === 'driver') {
    return (
      <Labeled label="Driver">
        {(id) => (
          <RecordSelect
            id={id}
            className={styles.wide ?? ''}
            lookup={driverLookup}
            getPopupContainer={inDialog}
            value={values.driverUid ?? ''}
            onChange={(driverUid) => set({ driverUid })}
          />
        )}
      </Labeled>
    )
  }
  if (kind === 'cancel') {
    return (
      <Labeled label="Reason">
        {(id) => (
          <Input
            id={id}
            value={values.reason}
            maxLength={300}
            onChange={({ target }) => set({ reason: target.value })}
          />
        )}
      </Labeled>
    )
  }
  return kind === 'delete' ? null : <PlaceFields shifts={shifts} index={index} values={values} set={set} />
}

const renderTruck = ({ data }: { data: TruckChoice }) => (
  <Row as="span" gap={3} between className={styles.truck} data-busy={data.busy > 0}>
    <span>{data.label}</span>
    <small>{data.words}</small>
  </Row>
)

function PlaceFields({ shifts, index, values, set }: Omit<ActFieldsProps, 'kind'>) {
  const { days, hours } = values
  const trucks = truckChoices(index, shifts, { days, minutes: Math.round(hours * 60) })
  return (
    <div className={styles.places}>
      <Labeled label="Days later">
        {(id) => (
          <InputNumber
            id={id}
            min={-60}
            max={60}
            precision={0}
            value={values.days}
            onChange={(days) => set({ days: days ?? 0 })}
          />
        )}
      </Labeled>
      <Labeled label="Hours later">
        {(id) => (
          <InputNumber
            id={id}
            min={-23.75}
            max={23.75}
            step={0.25}
            value={values.hours}
            onChange={(hours) => set({ hours: hours ?? 0 })}
          />
        )}
      </Labeled>
      <Labeled label="Truck">
        {(id) => (
          <Select
            id={id}
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="Same truck"
            getPopupContainer={inDialog}
            className={styles.wide ?? ''}
            value={values.truckUid ?? null}
            options={trucks}
            optionRender={renderTruck}
            onChange={(truckUid: string | null | undefined) => set({ truckUid: truckUid ?? undefined })}
          />
        )}
      </Labeled>
    </div>
  )
}

function Labeled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <Stack gap={1} below={3}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </Stack>
  )
}

interface PlanChangePreviewProps {
  kind: ShiftPlanChangeKind
  result: ShiftPlanChangeResult
  partly: boolean
  setPartly: (partly: boolean) => void
  allowInactiveProgram: boolean
  setAllowed: (allowed: boolean) => void
}

/** What would happen, and the choices about what would not. */
export function PlanChangePreview({
  kind,
  result,
  partly,
  setPartly,
  allowInactiveProgram,
  setAllowed,
}: PlanChangePreviewProps) {
  const { accepted, refused, inactive, lateArrivals } = result
  const count = refusedCount(refused)
  return (
    <>
      <p role="status">
        {planChangeWords[kind].will(accepted)}
        {count > 0 && `, ${count} refused`}.
      </p>
      <RefusalGroups label="Refused" groups={refused} />
      <LateArrivals shifts={lateArrivals} />
      {inactive > 0 && (
        <Checkbox checked={allowInactiveProgram} onChange={({ target }) => setAllowed(target.checked)}>
          Include {countOf(inactive, 'shift')} of draft and paused programs
        </Checkbox>
      )}
      {count > 0 && accepted > 0 && (
        <Checkbox checked={partly} onChange={({ target }) => setPartly(target.checked)}>
          Change the other {countOf(accepted, 'shift')}
        </Checkbox>
      )}
    </>
  )
}
