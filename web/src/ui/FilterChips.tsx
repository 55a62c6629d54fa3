import { Pick } from './Pick.tsx'
import type { Lookup } from './Pick.tsx'
import type { Given } from './useListState.ts'
import styles from './FilterChips.module.css'

/** One filter of a list: either a few words to switch on and off, or a lookup. `key` is its name in the list's query. */
export type Filter = { key: string; label: string } & ({ words: Record<string, string> } | { lookup: Lookup })

interface FilterChipsProps {
  filters: readonly Filter[]
  given: Given
  onChange: (changes: Given) => void
}

const valuesOf = (given: Given, key: string): string[] => [given[key] ?? []].flat()

/** The filters of a list as chips; several of one filter mean any of them. */
export const FilterChips = ({ filters, given, onChange }: FilterChipsProps) =>
  filters.map((filter) => {
    const { key, label } = filter
    const chosen = valuesOf(given, key)
    const choose = (values: string[]) => onChange({ [key]: values.length > 0 ? values : undefined })
    if ('lookup' in filter) {
      return (
        <Pick<string[]>
          key={key}
          lookup={filter.lookup}
          mode="multiple"
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
