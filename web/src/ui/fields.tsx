import { Form, Input } from 'antd'
import { createContext, use } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { isOutsider } from '@roadshow/contract/platform/permissions'
import type * as z from '@roadshow/contract/platform/zod'
import { useUser } from '../api/user.ts'
import { fieldLabel } from './words.ts'
import type { AnyFields } from './words.ts'
import styles from './fields.module.css'

interface FormRules {
  fields: AnyFields
  /** The request's own schema: what it refuses, the form refuses, with the same sentence. */
  schema: z.ZodType & { shape: z.ZodRawShape }
}

export const FormRulesContext = createContext<FormRules | undefined>(undefined)

export function useFormRules(): FormRules {
  const rules = use(FormRulesContext)
  if (!rules) throw new Error('A Field stands inside a FormDrawer.')
  return rules
}

/** The row that a field stands in, where a field of the form holds several. */
export const RowContext = createContext<{ list: string; index: number } | undefined>(undefined)

type Path = (string | number)[]

/** The part of a schema that a path leads to. */
function ruleAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  const [step, ...rest] = path
  if (step === undefined) return schema
  const { shape, element, innerType } = schema.def as {
    shape?: z.ZodRawShape
    element?: z.ZodType
    innerType?: z.ZodType
  }
  if (innerType) return ruleAt(innerType, path)
  const next = typeof step === 'number' ? element : shape?.[step]
  return next && ruleAt(next as z.ZodType, rest)
}

/** What the schema has against the form's values at a path, or below it. */
const problemAt = (schema: z.ZodType, values: unknown, path: Path) =>
  schema.safeParse(values).error?.issues.find((issue) => path.every((step, index) => issue.path[index] === step))
    ?.message

/** A form's values without its files, which are sent beside them. */
export const withoutFiles = <Input extends object>(values: Input): Input =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !(value instanceof Blob))) as Input

/** The files of a form, by the names they are sent under. */
export const filesIn = (values: object): Record<string, Blob[]> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value instanceof Blob ? [[name, [value]]] : [])),
  )

interface FieldProps {
  name: string
  /** In a row, whose fields the form does not name. */
  label?: string
  /** Other fields that this one is checked against: checked again when one of them changes. */
  dependsOn?: string | string[]
  /** What a person should know while filling it in. */
  hint?: ReactNode
  children: ReactElement
}

/** A labelled field of the form around it, checked by the request's schema when it is left and before saving. */
export function Field({ name, label, dependsOn, hint, children }: FieldProps) {
  const { fields, schema } = useFormRules()
  const row = use(RowContext)
  const path = row ? [row.list, row.index, name] : [name]
  const rule = ruleAt(schema, path)
  return (
    <Form.Item
      name={row ? [row.index, name] : name}
      label={label ?? fieldLabel(fields, name)}
      required={rule !== undefined && ['', null, []].every((nothing) => !rule.safeParse(nothing).success)}
      {...(dependsOn && { dependencies: [dependsOn].flat() })}
      extra={hint}
      validateTrigger="onBlur"
      rules={[
        ({ getFieldsValue }) => ({
          validator: () => {
            const problem = problemAt(schema, withoutFiles(getFieldsValue(true) as object), path)
            return problem === undefined ? Promise.resolve() : Promise.reject(new Error(problem))
          },
        }),
      ]}
    >
      {children}
    </Form.Item>
  )
}

/** A few fields that belong together, under a short heading; `wide` ones take the whole width of a large drawer. */
export const Section = ({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) => (
  <fieldset className={styles.section}>
    <legend>{title}</legend>
    <div className={`${styles.fields} form-fields`} data-wide={wide}>
      {children}
    </div>
  </fieldset>
)

/** What people of the business want to say besides, to each other. */
export const NoteField = () =>
  isOutsider(useUser()) ? null : (
    <Field name="note">
      <Input.TextArea maxLength={2000} autoSize={{ minRows: 3 }} />
    </Field>
  )

export const NoteSection = () =>
  isOutsider(useUser()) ? null : (
    <Section title="Remarks" wide>
      <NoteField />
    </Section>
  )
