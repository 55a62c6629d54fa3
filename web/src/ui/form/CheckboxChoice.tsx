import { Checkbox } from 'antd'
import type { ReactNode } from 'react'
import styles from '../details.module.css'

interface CheckboxChoiceProps<Key extends string> {
  offered: readonly Key[]
  labelOf: (key: Key) => ReactNode
  /** From the form around it. */
  id?: string
  value?: Key[]
  onChange?: (chosen: Key[]) => void
}

/** Several of a few. A group may not be marked as required for screen readers, so it takes from the form only what it needs. */
export const CheckboxChoice = <Key extends string>({
  offered,
  labelOf,
  id,
  value = [],
  onChange = () => {},
}: CheckboxChoiceProps<Key>) => (
  <div id={id}>
    <Checkbox.Group<Key>
      value={value}
      onChange={onChange}
      className={styles.choices ?? ''}
      options={offered.map((key) => ({ value: key, label: labelOf(key) }))}
    />
  </div>
)
