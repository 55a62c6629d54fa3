import { useId } from 'react'
import { Row } from '../../ui/layout.tsx'
import styles from './Choice.module.css'

interface ChoiceParts<Value extends string> {
  legend: string
  options: readonly (readonly [value: Value, name: string])[]
  value: Value | undefined
  onValue: (value: Value) => void
}

/** One of a few, by large targets. */
export function Choice<Value extends string>({ legend, options, value, onValue }: ChoiceParts<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend>{legend}</legend>
      <Row gap={2} wrap>
        {options.map(([each, text]) => (
          <label key={each} className={styles.option}>
            <input type="radio" name={name} checked={value === each} onChange={() => onValue(each)} />
            {text}
          </label>
        ))}
      </Row>
    </fieldset>
  )
}
