import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { shifts } from '@roadshow/contract/planning/shifts'
import type { ShiftInput } from '@roadshow/contract/planning/shifts'
import { Form, Select } from 'antd'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useList } from '../../api/useList.ts'
import type { ListOf } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import type { OnlyArtwork } from '../suggestions/useSuggestions.ts'

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

interface MarketOfProgramProps extends OfProgramProps {
  /** The market to begin with, where the program runs there. */
  preferred?: string | undefined
}

/**
 * A market of the chosen program; a single market is chosen automatically, or else the preferred one. A market of another
 * program is cleared.
 */
export function MarketOfProgram({ current, ofProgram, preferred, value, onChange, ...field }: MarketOfProgramProps) {
  const uid = useProgramUid()
  const mayAsk = useMay(shifts.programs)
  const { data: found } = useList(shifts.programs, { uid }, mayAsk && Boolean(uid))
  const markets = found?.data.find((program) => program.uid === uid)?.markets
  const settle = useEffectEvent((known: readonly Named[], home: string | undefined) => {
    const isKept = value === current?.uid && uid === ofProgram
    if (isKept || known.some((market) => market.uid === value)) return
    const best = known.length === 1 ? known[0] : known.find((market) => market.uid === home)
    const chosen = best?.uid ?? ''
    if (chosen !== (value ?? '')) onChange?.(chosen)
  })
  useEffect(() => {
    if (markets) settle(markets, preferred)
  }, [markets, preferred])
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
  /** Chosen once for its program, while nothing else is. */
  only?: OnlyArtwork | undefined
}

interface OnlySetOptions {
  only: OnlyArtwork | undefined
  programUid: string | undefined
  value: string | null | undefined
  choose: (uid: string | null) => void
}

/** Chooses the only set of a program by itself, once: clearing it is a choice too. */
function useOnlySet({ only, programUid, value, choose }: OnlySetOptions): void {
  const chosen = useRef<{ of: string; uid: string | undefined }>(undefined)
  const settle = useEffectEvent((known: OnlyArtwork | undefined, of: string | undefined) => {
    if (chosen.current?.of === of) return
    if (chosen.current?.uid && chosen.current.uid === value) choose(null)
    if (!known || known.programUid !== of) return
    chosen.current = { of, uid: known.set?.uid }
    if (known.set) choose(known.set.uid)
  })
  useEffect(() => settle(only, programUid), [only, programUid])
}

/** A set of the chosen program; one of another program is cleared. */
export function SetOfProgram({ list, current, ofProgram, only, value, onChange, ...field }: SetOfProgramProps) {
  const uid = useProgramUid()
  const mayAsk = useMay(list)
  const found = useList(list, { program: uid, pageSize: String(MAX_PAGE_SIZE), sort: 'name' }, mayAsk && Boolean(uid))
  const sets = uid && !found.isPlaceholderData ? found.data?.data : undefined
  useOnlySet({ only, programUid: uid, value, choose: (set) => onChange?.(set) })
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
