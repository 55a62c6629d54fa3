import { Field } from '../../ui/form/fields.tsx'
import { RecordLink } from '../../ui/form/reading.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { SuggestionSelect } from './SuggestionSelect.tsx'
import type { SuggestionsState } from './useSuggestions.ts'

interface CandidateFieldProps {
  of: 'trucks' | 'drivers'
  suggestions: SuggestionsState
  lookup: Lookup
  current: { uid: string; name: string } | undefined
}

const fieldName = { trucks: 'truckUid', drivers: 'driverUid' } as const

/** The truck or the driver of a shift: best first as soon as enough of the shift is known, before that by name. */
export const CandidateField = (props: CandidateFieldProps) => (
  <Field name={fieldName[props.of]} reads={<RecordLink lookup={props.lookup} record={props.current} />}>
    <SuggestionSelect {...props} />
  </Field>
)
