import { uidOf } from '@roadshow/contract/platform/common'
import { MAX_PAGE_SIZE } from '@roadshow/contract/platform/constants'
import type { SuggestionReason } from '@roadshow/contract/planning/suggestions'
import { useSearch } from '@tanstack/react-router'
import { Select } from 'antd'
import { useDeferredValue, useState } from 'react'
import { useList } from '../../api/useList.ts'
import { isFound } from '../../ui/text/isFound.ts'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { reasonText, stateText } from './reasonText.ts'
import type { Suggested, SuggestionsState } from './useSuggestions.ts'
import styles from './SuggestionSelect.module.css'

interface Named {
  uid: string
  name: string
}

interface Candidate extends Named {
  refusal: string | null
  isSuitable?: boolean
  bookedUntil: string | null
  reasons: readonly SuggestionReason[]
}

interface SuggestionSelectProps {
  of: 'trucks' | 'drivers'
  suggestions: SuggestionsState
  /** Finds by name before anything is suggested, and what no answer ranks: there are too many, or it is planned no more. */
  lookup: Lookup
  /** The record chosen already, so that its name shows whatever is suggested. */
  current: Named | undefined
  /** Set by the field around it. */
  id?: string
  value?: string
  onChange?: (uid: string) => void
  onBlur?: () => void
}

/** What is known about a candidate: can it be planned, and the reasons as short chips. */
function CandidateRow({ candidate, known }: { candidate: Candidate; known: Suggested }) {
  const { name, refusal, isSuitable = true, reasons } = candidate
  const chips = reasons.filter(({ kind }) => kind !== 'free').map((reason) => reasonText(reason, known.startsAt))
  return (
    <div className={styles.row} data-refused={refusal !== null || !isSuitable}>
      <span className={styles.name}>{name}</span>
      <span className={styles.state}>{stateText(candidate, known.zone)}</span>
      {refusal !== null && <span className={styles.refusal}>{refusal}</span>}
      {chips.length > 0 && (
        <span className={styles.chips}>
          {chips.map(({ text, tone }) => (
            <span key={text} className={styles.chip} data-tone={tone}>
              {text}
            </span>
          ))}
        </span>
      )}
    </div>
  )
}

interface CandidateOption {
  value: string
  label: string
  candidate?: Candidate
  known?: Suggested
}

const renderOption = ({ data: { candidate, known, label } }: { data: CandidateOption }) =>
  candidate && known ? <CandidateRow candidate={candidate} known={known} /> : label

interface UnrankedSearch extends Pick<SuggestionSelectProps, 'of' | 'suggestions' | 'lookup' | 'current'> {
  value: string | undefined
  search: string
}

/** Records by name that no answer ranks. */
function useUnranked({ of, suggestions, lookup, current, value, search }: UnrankedSearch) {
  const { isAsked, known } = suggestions
  const isNamed = !value || value === current?.uid || known?.[of].some(({ uid }) => uid === value)
  const typed = search ? { search } : undefined
  // Before anything is suggested all of them; afterwards those beyond the answer, or the one that is chosen.
  const beyond = known?.hasMore[of] && typed ? typed : known && !typed && !isNamed ? { uid: value } : undefined
  const wanted = isAsked ? beyond : { ...typed }
  const query = { pageSize: String(MAX_PAGE_SIZE), sort: lookup.sort, ...wanted }
  const found = useList(lookup.list, query, wanted !== undefined)
  const rows = wanted ? (found.data?.data ?? []) : []
  const all = rows.map((row) => ({ uid: uidOf(row), name: lookup.nameOf(row) }))
  const named = found.isPlaceholderData ? all.filter(({ name }) => isFound(name, search)) : all
  const isListed = named.some(({ uid }) => uid === current?.uid)
  const records = current && value === current.uid && !isListed && !search ? [current, ...named] : named
  return { records, isLoading: wanted !== undefined && found.isFetching }
}

/**
 * Chooses a truck or a driver among all of them, best first. One that can't be planned says why, and can still be
 * chosen, because the hours may be changed next.
 */
export function SuggestionSelect({
  of,
  suggestions,
  lookup,
  current,
  value,
  onChange,
  ...field
}: SuggestionSelectProps) {
  const { isAsked, known, isCurrent } = suggestions
  // A link may lead to the choice: `?open=<uid>&choose=trucks`.
  const { choose }: UrlSearch = useSearch({ strict: false })
  const opens = choose === of
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const unranked = useUnranked({ of, suggestions, lookup, current, value, search })
  const byUid = new Map<string, Candidate>(isAsked ? known?.[of].map((candidate) => [candidate.uid, candidate]) : [])
  const ranked = [...byUid.values()].filter(({ name }) => isFound(name, search))
  const named = unranked.records.filter(({ uid }) => !byUid.has(uid))
  const options = [...named, ...ranked].map(({ uid, name }): CandidateOption => {
    const candidate = isCurrent ? byUid.get(uid) : undefined
    return { value: uid, label: name, ...(candidate && known && { candidate, known }) }
  })
  const isLoading = unranked.isLoading || (isAsked && !isCurrent)
  return (
    <Select<string, CandidateOption>
      {...field}
      // The link that was followed is gone, and the focus with it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={opens}
      defaultOpen={opens}
      value={value || null}
      onChange={(chosen: string) => onChange?.(chosen)}
      options={options}
      showSearch={{ filterOption: false, onSearch: setTyped, searchValue: typed }}
      loading={isLoading}
      notFoundContent={isLoading ? 'Loading…' : 'No matches.'}
      optionRender={renderOption}
      listHeight={360}
      popupMatchSelectWidth={false}
      classNames={{ popup: { root: styles.popup ?? '' } }}
    />
  )
}
