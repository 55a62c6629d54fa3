import type { ReactNode } from 'react'
import { Field } from './fields.tsx'
import { RecordLink } from './reading.tsx'
import { RecordSelect } from './RecordSelect.tsx'
import type { Lookup } from './RecordSelect.tsx'

interface RecordFieldProps {
  name: `${string}Uid`
  label?: string
  lookup: Lookup
  /** The record chosen already. */
  current: { uid: string; name: string } | null | undefined
  /** It cannot be cleared. */
  isRequired?: boolean
  isFixed?: boolean
  dependsOn?: string
  hint?: ReactNode
  /** What it means that none is chosen: `All clients`. */
  none?: string
  /** Besides keeping the choice in the form. */
  onChosen?: (uid: unknown) => void
}

/** A field that holds another record: chosen from its list, read as a link to it. */
export const RecordField = ({ lookup, current, isRequired = false, none, onChosen, ...field }: RecordFieldProps) => (
  <Field {...field} reads={<RecordLink lookup={lookup} record={current} none={none} />}>
    <RecordSelect
      lookup={lookup}
      current={current}
      allowClear={!isRequired}
      {...(none && { placeholder: none })}
      {...(onChosen && { onChange: onChosen })}
    />
  </Field>
)
