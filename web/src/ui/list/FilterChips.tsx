import { Select } from 'antd'
import { optionsOf } from '../text/words.ts'
import { RecordSelect } from '../form/RecordSelect.tsx'
import type { Lookup } from '../form/RecordSelect.tsx'
import type { UrlSearch } from '../useListState.ts'
import styles from './FilterChips.module.css'
import { Row } from '../layout.tsx'
import { LazyDayPicker } from '../form/LazyDayPicker.tsx'

/**
 * One filter of a list: a few words to switch on and off, many of them in a menu, a lookup, or a day. `key` is its name
 * in the list's query.
 */
export type Filter = { key: string; label: string } & (
  | { words: Record<string, string>; inMenu?: true }
  | { lookup: Lookup }
  | { day: true }
)

// The calendar is large; lists without a day to choose do without.

interface FilterChipsProps {
  filters: readonly Filter[]
  given: UrlSearch
  onChange: (changes: UrlSearch) => void
  /** A lookup is open when it appears. */
  opens?: boolean
}

const valuesOf = (given: UrlSearch, key: string): string[] => [given[key] ?? []].flat()

/** The filters of a list as chips; several of one filter mean any of them. */
export const FilterChips = ({ filters, given, onChange, opens = false }: FilterChipsProps) =>
  filters.map((filter) => {
    const { key, label } = filter
    const chip: ChipProps = {
      label,
      chosen: valuesOf(given, key),
      choose: (values) => onChange({ [key]: values.length > 0 ? values : undefined }),
    }
    if ('lookup' in filter) return <LookupChip key={key} {...chip} lookup={filter.lookup} opens={opens} />
    if ('day' in filter) return <DayChip key={key} {...chip} />
    if (filter.inMenu) return <MenuChip key={key} {...chip} words={filter.words} />
    return <WordChips key={key} {...chip} words={filter.words} />
  })

interface ChipProps {
  label: string
  chosen: string[]
  choose: (values: string[]) => void
}

const LookupChip = ({ label, chosen, choose, lookup, opens }: ChipProps & { lookup: Lookup; opens: boolean }) => (
  <RecordSelect<string[]>
    lookup={lookup}
    mode="multiple"
    // The button that was pressed for it is gone, and the focus with it.
    // oxlint-disable-next-line jsx-a11y/no-autofocus
    autoFocus={opens}
    defaultOpen={opens}
    value={chosen}
    onChange={choose}
    aria-label={label}
    placeholder={label}
    className={styles.lookup ?? ''}
    maxTagCount="responsive"
    popupMatchSelectWidth={false}
  />
)

const DayChip = ({ label, chosen, choose }: ChipProps) => (
  <div className={styles.day}>
    <LazyDayPicker
      aria-label={label}
      placeholder={label}
      value={chosen[0] ?? null}
      onChange={(picked) => choose(picked ? [picked] : [])}
    />
  </div>
)

type WordsProps = ChipProps & { words: Record<string, string> }

const MenuChip = ({ label, chosen, choose, words }: WordsProps) => (
  <Select<string[]>
    mode="multiple"
    allowClear
    value={chosen}
    onChange={choose}
    options={optionsOf(words)}
    showSearch={{ optionFilterProp: 'label' }}
    aria-label={label}
    placeholder={label}
    className={styles.lookup ?? ''}
    maxTagCount="responsive"
    popupMatchSelectWidth={false}
  />
)

const WordChips = ({ label, chosen, choose, words }: WordsProps) => (
  <Row role="group" aria-label={label} gap={1} wrap>
    {Object.entries(words).map(([value, word]) => (
      <button
        key={value}
        type="button"
        className={styles.chip}
        aria-pressed={chosen.includes(value)}
        onClick={() => choose(toggled(chosen, value))}
      >
        {word}
      </button>
    ))}
  </Row>
)

const toggled = (values: string[], value: string) =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]
