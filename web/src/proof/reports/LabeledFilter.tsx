import { useId } from 'react'
import type { ReactNode } from 'react'

interface LabeledFilterProps {
  label: string
  className: string | undefined
  /** The input, under the id of its label. */
  children: (id: string) => ReactNode
}

/** A filter of a report under its label. */
export function LabeledFilter({ label, className = '', children }: LabeledFilterProps) {
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}
