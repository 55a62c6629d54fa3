import { Select } from 'antd'
import { lazy, Suspense } from 'react'
import { optionsOf } from './words.ts'
import { RecordSelect } from './RecordSelect.tsx'
import type { Lookup } from './RecordSelect.tsx'
import type { UrlSearch } from './useListState.ts'
import styles from './FilterChips.module.css'

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
const DayPicker = lazy(() => import('./DayPicker.tsx').then((module) => ({ default: module.DayPicker })))

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
    const chosen = valuesOf(given, key)
    const choose = (values: string[]) => onChange({ [key]: values.length > 0 ? values : undefined })
    if ('lookup' in filter) {
      return (
        <RecordSelect<string[]>
          key={key}
          lookup={filter.lookup}
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
    }
    if ('day' in filter) {
      return (
        <div key={key} className={styles.day}>
          <Suspense>
            <DayPicker
              aria-label={label}
              placeholder={label}
              value={chosen[0] ?? null}
              onChange={(picked) => choose(picked ? [picked] : [])}
            />
          </Suspense>
        </div>
      )
    }
    if (filter.inMenu) {
      return (
        <Select<string[]>
          key={key}
          mode="multiple"
          allowClear
          value={chosen}
          onChange={choose}
          options={optionsOf(filter.words)}
          showSearch={{ optionFilterProp: 'label' }}
          aria-label={label}
          placeholder={label}
          className={styles.lookup ?? ''}
          maxTagCount="responsive"
          popupMatchSelectWidth={false}
        />
      )
    }
    return (
      <div key={key} role="group" aria-label={label} className={styles.group}>
        {Object.entries(filter.words).map(([value, word]) => (
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
      </div>
    )
  })

const toggled = (values: string[], value: string) =>
  values.includes(value) ? values.filter((each) => each !== value) : [...values, value]
