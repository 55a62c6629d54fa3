import type { ComponentProps } from 'react'
import styles from './Field.module.css'

interface Common {
  label: string
  value: string
  onValue: (value: string) => void
}

/** One line of text. */
export const TextField = ({ label, onValue, ...rest }: Common & ComponentProps<'input'>) => (
  <label className={styles.field}>
    <span className={styles.label}>{label}</span>
    <input {...rest} className={styles.input} onChange={({ target }) => onValue(target.value)} />
  </label>
)

/** Several lines of text. */
export const TextArea = ({ label, onValue, ...rest }: Common & ComponentProps<'textarea'>) => (
  <label className={styles.field}>
    <span className={styles.label}>{label}</span>
    <textarea rows={3} {...rest} className={styles.input} onChange={({ target }) => onValue(target.value)} />
  </label>
)
