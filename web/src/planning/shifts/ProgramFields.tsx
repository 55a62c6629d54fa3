import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { ShiftInput } from '@roadshow/contract/planning/shifts'
import { artworkSets } from '@roadshow/contract/catalog/artwork'
import { Form, Select } from 'antd'
import { useList } from '../../api/useList.ts'
import type { ListOf } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { useRotationWords } from '../rotation/useRotation.ts'

interface Named {
  uid: string
  name: string
}

interface OfProgramProps {
  /** The current choice, named before anything is fetched. */
  current: Named | null | undefined
  /** Set by the field around it. */
  id?: string
  value?: string | null
  onChange?: (uid: string | null) => void
  onBlur?: () => void
}

const optionsOf = (found: readonly Named[], current: Named | null | undefined, value: string | null | undefined) =>
  [
    ...(current && value === current.uid && !found.some(({ uid }) => uid === current.uid) ? [current] : []),
    ...found,
  ].map(({ uid, name }) => ({ value: uid, label: name }))

const useProgramUid = () => Form.useWatch('programUid', Form.useFormInstance<ShiftInput>())

/** A market of the chosen program. */
export function MarketOfProgram({ current, value, onChange, ...field }: OfProgramProps) {
  const uid = useProgramUid()
  const mayAsk = useMay(shifts.programs)
  const { data: found } = useList(shifts.programs, { uid }, mayAsk && Boolean(uid))
  const markets = found?.data.find((program) => program.uid === uid)?.markets
  return (
    <Select
      {...field}
      value={value || null}
      onChange={(chosen: string) => onChange?.(chosen)}
      options={optionsOf(markets ?? [], current, value)}
      notFoundContent={uid ? 'This program has no markets.' : 'Choose a program first.'}
    />
  )
}

interface SetOfProgramProps extends OfProgramProps {
  list: ListOf<Named>
  /** What is shown while none is chosen. */
  placeholder?: string | undefined
}

/** An artwork set of the chosen program. Without one, trucks show the program's rotation. */
export function ArtworkOfProgram(field: OfProgramProps) {
  const rotation = useRotationWords(useProgramUid())
  return <SetOfProgram {...field} list={artworkSets.list} placeholder={rotation} />
}

/** A set of the chosen program. */
export function SetOfProgram({ list, current, value, onChange, ...field }: SetOfProgramProps) {
  const uid = useProgramUid()
  const mayAsk = useMay(list)
  const found = useList(list, { program: uid, pageSize: String(MAX_PAGE_SIZE), sort: 'name' }, mayAsk && Boolean(uid))
  const sets = uid && !found.isPlaceholderData ? found.data?.data : undefined
  return (
    <Select
      {...field}
      allowClear
      value={value || null}
      onChange={(chosen: string | undefined) => onChange?.(chosen ?? null)}
      options={optionsOf(sets ?? [], current, value)}
      notFoundContent={uid ? 'This program has no sets.' : 'Choose a program first.'}
    />
  )
}
