import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { ShiftInput } from '@roadshow/contract/planning/shifts'
import { Form, Select } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useList } from '../../api/useList.ts'
import type { ListOf } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'

interface Named {
  uid: string
  name: string
}

interface OfProgramProps {
  /** The current choice, named before anything is fetched. */
  current: Named | null | undefined
  /** The program of the current choice: a deleted choice stays valid for that program. */
  ofProgram: string | undefined
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

/** A market of the chosen program; a single market is chosen automatically, one of another program is cleared. */
export function MarketOfProgram({ current, ofProgram, value, onChange, ...field }: OfProgramProps) {
  const uid = useProgramUid()
  const mayAsk = useMay(shifts.programs)
  const { data: found } = useList(shifts.programs, { uid }, mayAsk && Boolean(uid))
  const markets = found?.data.find((program) => program.uid === uid)?.markets
  const settle = useEffectEvent((known: readonly Named[]) => {
    const isKept = value === current?.uid && uid === ofProgram
    if (isKept || known.some((market) => market.uid === value)) return
    const chosen = known.length === 1 ? (known[0]?.uid ?? '') : ''
    if (chosen !== (value ?? '')) onChange?.(chosen)
  })
  useEffect(() => {
    if (markets) settle(markets)
  }, [markets])
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
}

/** A set of the chosen program; one of another program is cleared. */
export function SetOfProgram({ list, current, ofProgram, value, onChange, ...field }: SetOfProgramProps) {
  const uid = useProgramUid()
  const mayAsk = useMay(list)
  const found = useList(list, { program: uid, pageSize: String(MAX_PAGE_SIZE), sort: 'name' }, mayAsk && Boolean(uid))
  const sets = uid && !found.isPlaceholderData ? found.data?.data : undefined
  const settle = useEffectEvent((known: readonly Named[]) => {
    const isKept = value === current?.uid && uid === ofProgram
    if (value && !isKept && !known.some((set) => set.uid === value)) onChange?.(null)
  })
  useEffect(() => {
    if (sets) settle(sets)
  }, [sets])
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
