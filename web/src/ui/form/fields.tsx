import { Form, Input } from 'antd'
import { createContext, use } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { isOutsider } from '@roadshow/contract/platform/permissions'
import type * as z from '@roadshow/contract/platform/zod'
import { useUser } from '../../api/user.ts'
import { readClock, readDay } from '@roadshow/contract/platform/typed-time'
import { useIsReading } from './reading.tsx'
import type { FieldReading } from './reading.tsx'
import { EM_DASH } from '../text/dash.ts'
import { fieldLabel, formatFieldValue } from '../text/words.ts'
import type { AnyFields } from '../text/words.ts'
import styles from './fields.module.css'
import { Soft } from '../layout.tsx'
import { InFieldContext } from './TypedInput.tsx'

export interface FormRules {
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

const valueAt = (values: unknown, path: Path) =>
  path.reduce((value: unknown, step) => (value as Record<string | number, unknown> | undefined)?.[step], values)

/** The API says how it writes days and times; a person reads how they are typed. */
function typedProblem(problem: string, typed: unknown): string {
  if (typeof typed !== 'string' || typed === '') return problem
  const reading = problem.startsWith('Must be a date such as')
    ? readDay(typed)
    : problem.startsWith('Must be a time such as') && readClock(typed)
  return reading && 'problem' in reading ? reading.problem : problem
}

/** A form's values without its files, which are sent beside them. */
export const withoutFiles = <Input extends object>(values: Input): Input =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !(value instanceof Blob))) as Input

/** The files of a form, by the names they are sent under. */
export const filesIn = (values: object): Record<string, Blob[]> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value instanceof Blob ? [[name, [value]]] : [])),
  )

interface CommonFieldProps<Name extends string> {
  name: Name
  /** In a row, whose fields the form does not name; empty where a heading says it already. */
  label?: string
  /** Other fields that this one is checked against: checked again when one of them changes. */
  dependsOn?: string | string[]
  /** What a person should know while filling it in. */
  hint?: ReactNode
  /** The field keeps its value: it is read even where others are typed. */
  isFixed?: boolean
  children: ReactElement
}

/** A uid says nothing to a reader, so a field that holds one must say how it reads. */
type FieldProps<Name extends string> = CommonFieldProps<Name> &
  (Name extends `${string}Uid` ? { reads: FieldReading } : { reads?: FieldReading })

/**
 * A labelled field of the form around it. Where the record is only read, its label and value; otherwise an input,
 * checked by the request's schema when it is left and before saving.
 */
export const Field: <Name extends string>(props: FieldProps<Name>) => ReactElement = ReadOrTyped

function ReadOrTyped({ reads, isFixed = false, ...field }: CommonFieldProps<string> & { reads?: FieldReading }) {
  const isReading = useIsReading()
  if (isReading) return <ReadField name={field.name} label={field.label} reads={reads} />
  if (isFixed) return <FixedField {...field} reads={reads} />
  return <InputField {...field} />
}

type InputFieldProps = Omit<CommonFieldProps<string>, 'isFixed'>

function InputField({ name, label, dependsOn, hint, children }: InputFieldProps) {
  const { fields, schema } = useFormRules()
  const row = use(RowContext)
  const path = row ? [row.list, row.index, name] : [name]
  const rule = ruleAt(schema, path)
  return (
    <InFieldContext value>
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
              const values = withoutFiles(getFieldsValue(true) as object)
              const problem = problemAt(schema, values, path)
              return problem === undefined
                ? Promise.resolve()
                : Promise.reject(new Error(typedProblem(problem, valueAt(values, path))))
            },
          }),
        ]}
      >
        {children}
      </Form.Item>
    </InFieldContext>
  )
}

interface ReadFieldProps {
  name: string
  label: string | undefined
  reads: FieldReading
}

/** A field of a record that is only read. */
function ReadField({ name, label, reads }: ReadFieldProps) {
  const { fields } = useFormRules()
  return (
    <div className={styles.fact}>
      <Soft as="dt" small data-quiet={label === ''}>
        {label || fieldLabel(fields, name)}
      </Soft>
      <dd>
        <HeldValue name={name} reads={reads} />
      </dd>
    </div>
  )
}

/** A field that keeps its value, among others that are typed. */
const FixedField = ({ name, label, hint, reads }: Omit<InputFieldProps, 'children'> & { reads: FieldReading }) => {
  const { fields } = useFormRules()
  return (
    <div className={styles.fixed}>
      <dl className={styles.facts}>
        <ReadField name={name} label={label ?? fieldLabel(fields, name)} reads={reads} />
      </dl>
      {hint && <p>{hint}</p>}
    </div>
  )
}

/** The value that the form holds of a field. The form holds it although nothing can be typed: other fields look at it. */
function HeldValue({ name, reads }: Pick<ReadFieldProps, 'name' | 'reads'>) {
  const row = use(RowContext)
  return (
    <Form.Item name={row ? [row.index, name] : name} noStyle>
      <ValueInWords name={name} reads={reads} />
    </Form.Item>
  )
}

/** The form gives the value. */
function ValueInWords({ name, reads, value }: Pick<ReadFieldProps, 'name' | 'reads'> & { value?: unknown }) {
  const { fields } = useFormRules()
  const isInRow = use(RowContext) !== undefined
  if (typeof reads === 'function') {
    return value === null || value === undefined || value === '' ? EM_DASH : reads(value)
  }
  return reads ?? formatFieldValue(isInRow ? {} : fields, name, value)
}

interface SectionProps {
  title: string
  /** Takes the whole width of a large drawer. */
  wide?: boolean
  /** Fields that hold pictures stand side by side as far as there is room. */
  boxes?: boolean
  children: ReactNode
}

/** A few fields that belong together, under a short heading. */
export function Section({ title, wide = false, boxes = false, children }: SectionProps) {
  if (useIsReading()) {
    return (
      <section className={styles.section}>
        <h2>{title}</h2>
        <dl className={styles.facts} data-wide={wide || boxes} data-boxes={boxes}>
          {children}
        </dl>
      </section>
    )
  }
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      <div className={`${styles.fields} form-fields`} data-wide={wide || boxes} data-boxes={boxes}>
        {children}
      </div>
    </fieldset>
  )
}

/** What people of the business want to say besides, to each other. */
export const NoteField = () =>
  isOutsider(useUser()) ? null : (
    <Field name="note">
      <Input.TextArea maxLength={2000} autoSize={{ minRows: 3 }} />
    </Field>
  )

export const NoteSection = () =>
  isOutsider(useUser()) ? null : (
    <Section title="Notes" wide>
      <NoteField />
    </Section>
  )
