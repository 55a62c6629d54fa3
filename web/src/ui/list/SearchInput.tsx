import type { KeyboardEvent } from 'react'
import styles from './SearchInput.module.css'

interface SearchInputProps {
  label: string
  placeholder?: string
  value: string
  small?: boolean
  onChange: (value: string) => void
}

// In a form, Enter would save what is being searched.
const stay = (event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault()

/** The browser's own search field, which knows how to empty itself; Ant Design's weighs as much as a whole list. */
export const SearchInput = ({ label, placeholder = label, value, small = false, onChange }: SearchInputProps) => (
  <input
    type="search"
    className={styles.search}
    data-small={small}
    aria-label={label}
    aria-keyshortcuts="/"
    placeholder={placeholder}
    maxLength={200}
    autoComplete="off"
    value={value}
    onChange={({ target }) => onChange(target.value)}
    onKeyDown={stay}
  />
)
