import { Button, Form } from 'antd'
import type { ReactNode } from 'react'
import { RowContext, useFormRules } from './fields.tsx'
import { useIsReading } from './reading.tsx'
import { fieldLabel } from '../text/words.ts'
import { ListErrors } from './EditForm.tsx'
import styles from './fields.module.css'
import { List, Soft } from '../layout.tsx'

interface RepeatableFieldsProps {
  /** The field that holds the rows. */
  name: string
  /** What one row is called: `contact`. */
  noun: string
  /** What a new row starts with. */
  blank: object
  /** What to say while there are none. */
  empty: string
  /** The fields of one row, given its place; each is a `Field` named as in the row. */
  children: (index: number) => ReactNode
}

/** A field of several rows, each with fields of its own: add one, remove one. */
export function RepeatableFields(props: RepeatableFieldsProps) {
  return useIsReading() ? <ReadRows {...props} /> : <InputRows {...props} />
}

/** The rows of a record that is only read. */
function ReadRows({ name, noun, empty, children }: RepeatableFieldsProps) {
  const label = fieldLabel(useFormRules().fields, name)
  return (
    <section className={styles.section}>
      <h2>{label}</h2>
      <Form.List name={name}>
        {(rows) => (
          <>
            {rows.length === 0 && (
              <Soft as="p" below={3}>
                {empty}
              </Soft>
            )}
            <List as="ol">
              {rows.map(({ key, name: index }) => (
                <li key={key} className={styles.row} aria-label={`${noun} ${index + 1}`}>
                  <dl className={styles.facts}>
                    <RowContext value={{ list: name, index }}>{children(index)}</RowContext>
                  </dl>
                </li>
              ))}
            </List>
          </>
        )}
      </Form.List>
    </section>
  )
}

function InputRows({ name, noun, blank, empty, children }: RepeatableFieldsProps) {
  const label = fieldLabel(useFormRules().fields, name)
  return (
    <fieldset className={styles.section}>
      <legend>{label}</legend>
      <Form.List name={name}>
        {(rows, { add, remove }, { errors, warnings }) => (
          <>
            {rows.length === 0 && (
              <Soft as="p" below={3}>
                {empty}
              </Soft>
            )}
            <List as="ol">
              {rows.map(({ key, name: index }) => (
                <li key={key} className={styles.row}>
                  <div className={`${styles.fields} form-fields`}>
                    <RowContext value={{ list: name, index }}>{children(index)}</RowContext>
                  </div>
                  <Button size="small" onClick={() => remove(index)} aria-label={`Remove ${noun} ${index + 1}`}>
                    Remove
                  </Button>
                </li>
              ))}
            </List>
            <ListErrors errors={errors} warnings={warnings} />
            <Button onClick={() => add(blank)}>Add {noun}</Button>
          </>
        )}
      </Form.List>
    </fieldset>
  )
}
