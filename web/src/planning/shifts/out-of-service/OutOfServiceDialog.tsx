import { outOfServices } from '@roadshow/contract/planning/out-of-service'
import type { OutOfService } from '@roadshow/contract/planning/out-of-service'
import { zoneName } from '@roadshow/contract/platform/dates'
import { countOf } from '@roadshow/contract/platform/figures'
import { Alert, Button, Checkbox, Input, Modal } from 'antd'
import { useId } from 'react'
import type { ReactNode } from 'react'
import { errorMessage } from '../../../api/call.ts'
import { useCall } from '../../../api/useCall.ts'
import { useSave } from '../../../api/useSave.ts'
import { ClockInput } from '../../../ui/form/ClockInput.tsx'
import { DayPicker } from '../../../ui/form/DayPicker.tsx'
import { RecordSelect } from '../../../ui/form/RecordSelect.tsx'
import { SlowSave } from '../../../ui/form/SlowSave.tsx'
import { Row, Soft, Stack } from '../../../ui/layout.tsx'
import { useNotice } from '../../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { driverLookup, truckLookup } from '../shiftLookups.ts'
import { useUndo } from '../useUndo.ts'
import { ShiftDecisions } from './ShiftDecisions.tsx'
import type { AskedStretch } from './useOutOfServiceParam.ts'
import { useStretch } from './useStretch.ts'
import type { StretchState } from './useStretch.ts'
import styles from './OutOfServiceDialog.module.css'

interface OutOfServiceDialogProps {
  asked: AskedStretch
  onClose: () => void
}

const words = {
  truck: {
    title: 'Truck in the shop',
    what: 'Truck',
    first: 'From',
    last: 'Until',
    hint: 'Without times, whole days. Leave the last day blank until further notice.',
    done: 'Shop time saved.',
    removed: 'Shop time deleted.',
  },
  driver: {
    title: 'Time off',
    what: 'Driver',
    first: 'First day',
    last: 'Last day',
    hint: 'Leave the last day blank until further notice.',
    done: 'Time off saved.',
    removed: 'Time off deleted.',
  },
} as const

/** Takes a truck or a driver out of service, and decides about every shift in that time. */
export default function OutOfServiceDialog({ asked, onClose }: OutOfServiceDialogProps) {
  const query = { [asked.over]: asked.of ?? '', pageSize: '200' }
  const found = useCall(outOfServices.list, { query }, { enabled: asked.uid !== undefined })
  if (asked.uid === undefined) return <StretchDialog asked={asked} saved={undefined} onClose={onClose} />
  const saved = found.data?.find(({ uid }) => uid === asked.uid)
  if (saved) return <StretchDialog key={saved.version} asked={asked} saved={saved} onClose={onClose} />
  return (
    <Modal open centered title={words[asked.over].title} footer={null} onCancel={onClose}>
      {found.isPending && <SkeletonLines rows={4} />}
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && <p>It was deleted.</p>}
    </Modal>
  )
}

interface StretchDialogProps extends OutOfServiceDialogProps {
  saved: OutOfService | undefined
}

function StretchDialog({ asked, saved, onClose }: StretchDialogProps) {
  const { over } = asked
  const said = words[over]
  const stretch = useStretch(asked, saved)
  const notice = useNotice()
  const undo = useUndo()
  const remove = useSave(outOfServices.remove)
  const say = (text: string, uid: string) =>
    notice(text, 'done', [{ label: 'Undo', onAct: () => void undo({ uid }, text) }])
  const save = async () => {
    try {
      const { moved, canceled, undoUid } = await stretch.save()
      const parts = [
        moved > 0 && `${countOf(moved, 'shift')} moved`,
        canceled > 0 && `${countOf(canceled, 'shift')} canceled`,
      ]
      say(
        [said.done, parts.filter(Boolean).join(', ')]
          .filter(Boolean)
          .join(' ')
          .replace(/([a-z])$/, '$1.'),
        undoUid,
      )
      onClose()
    } catch {
      // The dialog shows the error.
    }
  }
  const drop = async () => {
    if (!saved) return
    const { data } = await remove.mutateAsync({ params: { uid: saved.uid } })
    say(said.removed, data.undoUid)
    onClose()
  }
  const { shifts, refused } = stretch
  const isInactive = refused?.code === 'programInactive'
  return (
    <Modal
      open
      centered
      title={said.title}
      width={560}
      onCancel={onClose}
      footer={
        <Row gap={2} align="center" className={styles.footer}>
          {saved && (
            <Button
              danger
              type="text"
              className={styles.delete ?? ''}
              loading={remove.isPending}
              onClick={() => void drop()}
            >
              Delete
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="primary" disabled={!stretch.canSave} loading={stretch.isSaving} onClick={() => void save()}>
            {shifts.length > 0 ? `Save with ${countOf(shifts.length, 'shift')}` : 'Save'}
          </Button>
        </Row>
      }
    >
      <Stack gap={3}>
        <StretchFields over={over} stretch={stretch} isFixed={saved !== undefined || asked.of !== undefined} />
        {remove.error && <Alert type="error" role="alert" title={errorMessage(remove.error)} />}
        {refused && Object.keys(refused.fields).length === 0 && (
          <Alert type="error" role="alert" title={errorMessage(refused)} />
        )}
        {(isInactive || stretch.allowInactiveProgram) && (
          <Checkbox
            checked={stretch.allowInactiveProgram}
            onChange={({ target }) => stretch.setAllowed(target.checked)}
          >
            Include shifts of draft and paused programs
          </Checkbox>
        )}
        {stretch.check.isError && <Alert type="error" role="alert" title={errorMessage(stretch.check.error)} />}
        {stretch.check.isFetching && shifts.length === 0 && <Soft as="p">Looking for shifts in this time…</Soft>}
        <ShiftDecisions over={over} stretch={stretch} />
        <SlowSave isBusy={stretch.isSaving} />
      </Stack>
    </Modal>
  )
}

// Inside the dialog, which would cover the list otherwise.
const inDialog = (field: HTMLElement) => field.parentElement ?? document.body

interface StretchFieldsProps {
  over: 'truck' | 'driver'
  stretch: StretchState
  /** The truck or driver is given. */
  isFixed: boolean
}

function StretchFields({ over, stretch: { values, set, problems, zone }, isFixed }: StretchFieldsProps) {
  const said = words[over]
  return (
    <div className={styles.fields}>
      <Labeled label={said.what} problem={problems[`${over}Uid`]} isWide>
        {(id) => (
          <RecordSelect
            id={id}
            className={styles.full ?? ''}
            lookup={over === 'truck' ? truckLookup : driverLookup}
            getPopupContainer={inDialog}
            disabled={isFixed}
            value={values.of}
            onChange={(of) => set({ of: of ?? '' })}
          />
        )}
      </Labeled>
      <Labeled label={said.first} problem={problems.from}>
        {(id) => <DayPicker isDraft id={id} value={values.from} onChange={(from) => set({ from })} />}
      </Labeled>
      {over === 'truck' && (
        <Labeled label="From time" problem={problems.startTime}>
          {(id) => <ClockInput id={id} value={values.startTime} onChange={(startTime) => set({ startTime })} />}
        </Labeled>
      )}
      <Labeled label={said.last} problem={problems.to}>
        {(id) => (
          <DayPicker
            isDraft
            id={id}
            value={values.to}
            placeholder="Until further notice"
            onChange={(to) => set({ to, ...(to === null && { endTime: '' }) })}
          />
        )}
      </Labeled>
      {over === 'truck' && (
        <Labeled label="Until time" problem={problems.endTime}>
          {(id) => <ClockInput id={id} value={values.endTime} onChange={(endTime) => set({ endTime })} />}
        </Labeled>
      )}
      <Labeled label="Reason" problem={problems.reason} isWide>
        {(id) => (
          <Input
            id={id}
            maxLength={200}
            value={values.reason}
            onChange={({ target }) => set({ reason: target.value })}
          />
        )}
      </Labeled>
      <Soft as="p" small className={styles.wide}>
        {said.hint}
        {zone && values.from && ` Days are those of ${zoneName(zone, `${values.from}T12:00:00Z`)}.`}
      </Soft>
    </div>
  )
}

interface LabeledProps {
  label: string
  problem: string | undefined
  isWide?: boolean
  children: (id: string) => ReactNode
}

function Labeled({ label, problem, isWide = false, children }: LabeledProps) {
  const id = useId()
  return (
    <div className={isWide ? styles.wide : undefined}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {problem && (
        <Soft role="alert" as="p" tone="bad">
          {problem}
        </Soft>
      )}
    </div>
  )
}
