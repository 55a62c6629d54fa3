import { shiftSuggestions } from '@roadshow/contract/planning/suggestions'
import { shiftRange } from '@roadshow/contract/planning/shift-time'
import type { ShiftSuggestions } from '@roadshow/contract/planning/suggestions'
import type { QueryOf } from '@roadshow/contract/platform/endpoint'
import type { ShiftInput } from '@roadshow/contract/planning/shifts'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { Form } from 'antd'
import { useDeferredValue } from 'react'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { keptCurrent } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'

/** An answer for a market that is known, together with the instant at which the shift starts. */
export interface Suggested extends ShiftSuggestions {
  zone: string
  startsAt: string
}

export interface SuggestionsState {
  /** Whether enough of the shift is known to ask. */
  isAsked: boolean
  /** The newest answer, also while the next one is on its way. */
  known: Suggested | undefined
  /** Whether the answer is for the shift as the form shows it now. */
  isCurrent: boolean
}

const NOTHING: SuggestionsState = { isAsked: false, known: undefined, isCurrent: false }

const askedFor = (values: Partial<ShiftInput>, uid: string | undefined) => ({
  date: values.date,
  start: values.start,
  end: values.end,
  ...(values.programUid && { program: values.programUid }),
  ...(values.marketUid && { market: values.marketUid }),
  // The truck stands in for the market until one is chosen.
  ...(!values.marketUid && values.truckUid && { truck: values.truckUid }),
  ...(values.artworkSetUid && { artworkSet: values.artworkSetUid }),
  ...(uid && { uid }),
})

function suggestedFor(answer: ShiftSuggestions, asked: QueryOf<typeof shiftSuggestions.list>): Suggested | null {
  const { zone } = answer
  if (zone === null) return null
  const { startsAt = 0 } = shiftRange({ ...asked, zone })
  return { ...answer, zone, startsAt: new Date(startsAt).toISOString() }
}

/** The suggestions for what is asked; undefined while too little is known to ask. */
export function suggestionsQuery(asked: object) {
  const query = shiftSuggestions.list.query.safeParse(asked).data
  if (!query || !(query.market ?? query.truck)) return undefined
  return {
    queryKey: [...keyOf(shiftSuggestions.list, { query }), 'suggested'],
    queryFn: async ({ signal }: { signal: AbortSignal }) =>
      suggestedFor((await call(shiftSuggestions.list, { query }, { signal })).data, query),
    ...keptCurrent(shiftSuggestions.list, { query }),
  }
}

/** Trucks and drivers for the shift in the form around it, asked again whenever day, hours, market or program change. */
export function useSuggestions(uid: string | undefined): SuggestionsState {
  const form = Form.useFormInstance<ShiftInput>()
  const values = Form.useWatch((all: ShiftInput) => all, { form, preserve: true })
  const mayAsk = useMay(shiftSuggestions.list)
  const typed = useDeferredValue(JSON.stringify(askedFor(values ?? {}, uid)))
  const query = suggestionsQuery(JSON.parse(typed) as object)
  const isAsked = mayAsk && query !== undefined
  const found = useQuery({
    ...(query ?? { queryKey: ['no suggestions'], queryFn: skipToken }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  // Without an answer the plain lists remain.
  if (!isAsked || found.isError || found.data === null) return NOTHING
  return { isAsked, known: found.data, isCurrent: found.isSuccess && !found.isPlaceholderData }
}
