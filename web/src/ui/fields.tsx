import { Form } from 'antd'
import { createContext, use } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type * as z from '@roadshow/contract/zod'
import styles from './fields.module.css'

/** The fields of a form by name: each with its label and, where its values are keys, the words for them. */
export type FieldsOf<Input> = Record<
  Extract<keyof Input, string>,
  string | readonly [label: string, words: Record<string, string>]
>

type AnyFields = Record<string, string | readonly [label: string, words: Record<string, string>]>

/** How a person reads that there is no value. */
export const NOTHING = '–'

/** The form's name of a field. It holds another record's uid where the history says its name: `homeMarketUid`, `homeMarket`. */
export const fieldName = (fields: AnyFields, name: string) => (name in fields ? name : `${name}Uid`)

const fieldOf = (fields: AnyFields, name: string) => fields[fieldName(fields, name)] ?? name

export function labelOf(fields: AnyFields, name: string): string {
  const field = fieldOf(fields, name)
  return typeof field === 'string' ? field : field[0]
}

/** A value as a person reads it. */
export function textOf(fields: AnyFields, name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return NOTHING
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const field = fieldOf(fields, name)
  const words = typeof field === 'string' ? {} : field[1]
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return words[text] ?? text
}

interface FormRules {
  fields: AnyFields
  /** The request's own schema: what it refuses, the form refuses, with the same sentence. */
  schema: { shape: z.ZodRawShape }
}

export const FormRulesContext = createContext<FormRules | undefined>(undefined)

function useFormRules(): FormRules {
  const rules = use(FormRulesContext)
  if (!rules) throw new Error('A Field stands inside a FormDrawer.')
  return rules
}

/** A labelled field of the form around it, checked by the request's schema when it is left and before saving. */
export function Field({ name, children }: { name: string; children: ReactElement }) {
  const { fields, schema } = useFormRules()
  const rule = schema.shape[name] as z.ZodType | undefined
  const problemWith = (value: unknown) => rule?.safeParse(value).error?.issues[0]?.message
  return (
    <Form.Item
      name={name}
      label={labelOf(fields, name)}
      required={rule !== undefined && !rule.safeParse('').success && !rule.safeParse(null).success}
      validateTrigger="onBlur"
      rules={[
        {
          validator: (_, value: unknown) => {
            const problem = problemWith(value)
            return problem === undefined ? Promise.resolve() : Promise.reject(new Error(problem))
          },
        },
      ]}
    >
      {children}
    </Form.Item>
  )
}

/** A few fields that belong together, under a short heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.section}>
    <legend>{title}</legend>
    <div className={styles.fields}>{children}</div>
  </fieldset>
)

/** Keys and their words, as a Select lists them. */
export const optionsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))
