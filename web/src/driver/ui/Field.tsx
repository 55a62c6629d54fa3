import type { ComponentProps } from 'react'
import { Stack } from '../../ui/layout.tsx'
import styles from './Field.module.css'

interface Common {
  label: string
  value: string
  onValue: (value: string) => void
}

/** One line of text. */
export const TextField = ({ label, onValue, ...rest }: Common & ComponentProps<'input'>) => (
  <Stack as="label" gap={1}>
    <span className={styles.label}>{label}</span>
    <input {...rest} className={styles.input} onChange={({ target }) => onValue(target.value)} />
  </Stack>
)

/** Several lines of text. */
export const TextArea = ({ label, onValue, ...rest }: Common & ComponentProps<'textarea'>) => (
  <Stack as="label" gap={1}>
    <span className={styles.label}>{label}</span>
    <textarea rows={3} {...rest} className={styles.input} onChange={({ target }) => onValue(target.value)} />
  </Stack>
)
