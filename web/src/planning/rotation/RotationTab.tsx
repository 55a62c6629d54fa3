import { spotLengthMs } from '@roadshow/contract/planning/loop-lines'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import type { ArtworkSet } from '@roadshow/contract/catalog/artwork'
import type { Program } from '@roadshow/contract/catalog/programs'
import { formatClock, formatClocks, weekdayName } from '@roadshow/contract/platform/dates'
import { formatCount } from '@roadshow/contract/platform/figures'
import {
  MAX_ROTATION_LINES,
  MAX_AMOUNT,
  rotationInput,
  rotations,
  rotationShareLabel,
} from '@roadshow/contract/planning/rotations'
import type { Rotation, RotationInput, RotationLine, RotationShare } from '@roadshow/contract/planning/rotations'
import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { Button, Form, InputNumber, Select } from 'antd'
import { call } from '../../api/call.ts'
import { useCall } from '../../api/useCall.ts'
import { useList } from '../../api/useList.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { ClockInput } from '../../ui/form/ClockInput.tsx'
import { EditForm } from '../../ui/form/EditForm.tsx'
import { Field } from '../../ui/form/fields.tsx'
import { RepeatableFields } from '../../ui/form/RepeatableFields.tsx'
import { useRecordForm } from '../../ui/form/useRecordForm.ts'
import { Soft, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { everyDay, weekdayOptions } from '../../ui/text/weekdays.ts'
import { optionsOf } from '../../ui/text/words.ts'
import { DayPlan } from './DayPlan.tsx'
import type { LineOfDay } from './DayPlan.tsx'

type LineInput = RotationInput['lines'][number]

const fields = { lines: 'Rotation' }
const schema = rotationInput.omit({ version: true })
const blank: LineInput = { artworkSetUid: '', share: 'weight', amount: 1, from: null, to: null, weekdays: everyDay }

const toInput = ({ lines }: Rotation): Pick<RotationInput, 'lines'> => ({
  lines: lines.map(({ artworkSet, share, amount, from, to, weekdays }) => ({
    artworkSetUid: artworkSet.uid,
    share,
    amount,
    from,
    to,
    weekdays,
  })),
})

/** What a program shows in turn, and how that looks over a day. */
export function RotationTab({ program }: { program: Program }) {
  const found = useCall(rotations.get, { params: { uid: program.uid } })
  const mayEdit = useMay(rotations.save)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  return (
    <Stack gap={4}>
      <Soft as="p">
        A shift that names no artwork set shows these sets in turn: by weight, or so many times an hour. A line with
        hours is shown only then, on the clocks of the market.
      </Soft>
      {mayEdit ? (
        <RotationForm program={program} rotation={found.data} />
      ) : (
        <RotationLines program={program} rotation={found.data} />
      )}
    </Stack>
  )
}

interface RotationProps {
  program: Program
  rotation: Rotation
}

const hoursText = ({ from, to }: Pick<RotationLine, 'from' | 'to'>) =>
  from && to ? formatClocks({ start: from, end: to }) : 'all day'
const daysText = (weekdays: readonly number[]) =>
  weekdays.length === everyDay.length ? 'every day' : weekdays.map((day) => weekdayName(day)).join(', ')

/** For those who only read. */
function RotationLines({ program, rotation }: RotationProps) {
  if (rotation.lines.length === 0) return <p>This program has no rotation.</p>
  return (
    <>
      <FactTable
        label="Rotation"
        rows={rotation.lines}
        rowKey={({ uid }) => uid}
        columns={[
          { title: 'Artwork', render: ({ artworkSet }) => artworkSet.name },
          { title: 'Shown', render: (line) => `${hoursText(line)}, ${daysText(line.weekdays)}` },
          { title: 'Share', render: ({ share, amount }) => `${rotationShareLabel[share]}: ${formatCount(amount)}` },
        ]}
      />
      <DayPlan
        program={program}
        rotation={rotation}
        lines={rotation.lines.map((line) => ({ ...line, name: line.artworkSet.name }))}
      />
    </>
  )
}

function RotationForm({ program, rotation }: RotationProps) {
  const save = useSave(rotations.save)
  const notice = useNotice()
  const params = { uid: program.uid }
  const sets = useList(artworkSets.list, { program: program.uid, pageSize: String(MAX_PAGE_SIZE), sort: 'name' })
  const edit = useRecordForm({
    base: rotation,
    toInput,
    isLive: true,
    fields,
    schema,
    draft: `rotation ${program.uid}`,
    save: async ({ lines }, { version }) => (await save.mutateAsync({ params, body: { lines, version } })).data,
    goOnFrom: (saved) => saved,
    onSaved: ({ lines }) =>
      notice(
        lines.length === 0
          ? 'The program has no rotation any more.'
          : 'The rotation is saved. Trucks that show it change with their next spot.',
      ),
    reload: async () => (await call(rotations.get, { params })).data,
  })
  const names = new Map(rotation.lines.map(({ artworkSet }) => [artworkSet.uid, artworkSet.name]))
  for (const { uid, name } of sets.data?.data ?? []) names.set(uid, name)
  return (
    <EditForm edit={edit} asks="outsideRecord" aria-label="Rotation">
      <Stack gap={4}>
        <RepeatableFields
          name="lines"
          noun="line"
          blank={blank}
          empty="No rotation. Add a line for each artwork set to rotate them, or to show one only at some hours."
        >
          {(index) => (
            <LineFields
              sets={sets.data?.data ?? []}
              current={names.get(rotation.lines[index]?.artworkSet.uid ?? '')}
              currentUid={rotation.lines[index]?.artworkSet.uid}
            />
          )}
        </RepeatableFields>
        <div>
          <Button type="primary" htmlType="submit" loading={edit.isBusy}>
            Save rotation
          </Button>
        </div>
        <TypedDay program={program} rotation={rotation} sets={sets.data?.data ?? []} />
      </Stack>
    </EditForm>
  )
}

interface LineFieldsProps {
  sets: readonly ArtworkSet[]
  current: string | undefined
  currentUid: string | undefined
}

function LineFields({ sets, current, currentUid }: LineFieldsProps) {
  const options = sets.map(({ uid, name, status }) => ({
    value: uid,
    label: status === 'approved' ? name : `${name} (not approved)`,
  }))
  if (current && currentUid && !sets.some(({ uid }) => uid === currentUid)) {
    options.push({ value: currentUid, label: current })
  }
  return (
    <>
      <Field name="artworkSetUid" label="Artwork set" reads={current ?? ''}>
        <ChoiceOfSet options={options} />
      </Field>
      <Field name="share" label="By" reads={(share: RotationShare) => rotationShareLabel[share]}>
        <Select options={optionsOf(rotationShareLabel)} />
      </Field>
      <Field name="amount" label="Weight or plays" dependsOn="share">
        <InputNumber min={1} max={MAX_AMOUNT.playsAnHour} inputMode="numeric" style={{ width: '100%' }} />
      </Field>
      <Field name="from" label="From" reads={formatClock}>
        <OptionalClock />
      </Field>
      <Field name="to" label="To" reads={formatClock} dependsOn="from">
        <OptionalClock />
      </Field>
      <Field name="weekdays" label="Days" reads={daysText}>
        <ChoiceOfDays />
      </Field>
    </>
  )
}

interface ChoiceOfSetProps {
  options: { value: string; label: string }[]
  id?: string
  value?: string
  onChange?: (uid: string) => void
}

const ChoiceOfSet = ({ value, options, ...field }: ChoiceOfSetProps) => (
  <Select {...field} value={value || null} options={options} notFoundContent="This program has no artwork yet." />
)

interface ChoiceOfDaysProps {
  id?: string
  value?: number[]
  onChange?: (days: number[]) => void
  onBlur?: () => void
}

const ChoiceOfDays = ({ value = [], onChange, ...field }: ChoiceOfDaysProps) => (
  <Select<number[]>
    {...field}
    mode="multiple"
    value={value}
    onChange={(days) => onChange?.(days.toSorted((one, other) => one - other))}
    options={weekdayOptions}
    maxTagCount={0}
    maxTagPlaceholder={() => daysText(value)}
  />
)

interface OptionalClockProps {
  id?: string
  value?: string | null
  onChange?: (clock: string | null) => void
  onBlur?: () => void
}

/** A time that may be left out. */
const OptionalClock = ({ value, onChange, ...field }: OptionalClockProps) => (
  <ClockInput {...field} placeholder="All day" value={value ?? ''} onChange={(typed) => onChange?.(typed || null)} />
)

/** The day as it will be once what is typed is saved. */
function TypedDay({ program, rotation, sets }: RotationProps & { sets: readonly ArtworkSet[] }) {
  const typed = Form.useWatch('lines', Form.useFormInstance<RotationInput>()) ?? []
  const lines = typed.flatMap((typedLine, index): LineOfDay[] => {
    const line = schema.safeParse({ lines: [typedLine] }).data?.lines[0]
    const set = sets.find(({ uid }) => uid === line?.artworkSetUid)
    if (!line || !set) return []
    const { name, driverSideArtwork, passengerSideArtwork, rearArtwork } = set
    const files = [driverSideArtwork, passengerSideArtwork, rearArtwork].filter((file) => file !== null)
    const spotMs = spotLengthMs(program.spotSeconds && program.spotSeconds * 1000, { files })
    return [{ ...line, uid: rotation.lines[index]?.uid ?? `new ${index}`, name, spotMs }]
  })
  return <DayPlan program={program} rotation={rotation} lines={lines.slice(0, MAX_ROTATION_LINES)} />
}
