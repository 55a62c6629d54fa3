import { chosenInstant, day, uid } from '@roadshow/contract/platform/common'
import type * as z from '@roadshow/contract/platform/zod'
import { replays } from '@roadshow/contract/proof/replay'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useCall } from '../../api/useCall.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { readReplay } from './replayModel.ts'

const valueOf = (schema: z.ZodType<string>, given: UrlSearch[string]): string | undefined =>
  schema.safeParse(given).data

/** What the address asks for: a shift, or a truck with a day or a moment. What it can't mean is ignored. */
function askedBy(search: UrlSearch) {
  const shift = valueOf(uid, search['shift'])
  const truck = shift === undefined ? valueOf(uid, search['truck']) : undefined
  const at = valueOf(chosenInstant, search['at'])
  return {
    shift,
    truck,
    day: truck === undefined ? undefined : valueOf(day, search['day']),
    at: at === undefined ? undefined : Date.parse(at),
  }
}

/** A moment as an address has it. */
const inAddress = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z')

/**
 * The replay that the address names. Its moment is a part of the address, too, so that a link shows the same; another
 * moment of the same hours asks for nothing.
 */
export function useReplay() {
  const search: UrlSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const { shift, truck, day, at } = askedBy(search)
  const what = [shift, truck, day].join()
  const [asked, setAsked] = useState({ what, at })
  if (asked.what !== what) setAsked({ what, at })
  // Without a day, the moment that was asked for first names it.
  const named = truck !== undefined && day === undefined ? asked.at : undefined
  const query = {
    ...(shift !== undefined && { shift }),
    ...(truck !== undefined && { truck }),
    ...(day !== undefined && { day }),
    ...(named !== undefined && { at: inAddress(named) }),
  }
  const isAsked = shift !== undefined || truck !== undefined
  const found = useCall(replays.get, { query }, { enabled: isAsked })
  const { data } = found
  const model = useMemo(() => data && readReplay(data), [data])
  const isOutside = data !== undefined && at !== undefined && (at < data.from || at > data.to)
  // Back to a moment of another day.
  if (isOutside && truck !== undefined && day === undefined && asked.at !== at) setAsked({ what, at })
  const go = (changes: UrlSearch, replace = false) =>
    void navigate({ to: '.', search: (old: UrlSearch) => ({ ...old, ...changes }), replace, resetScroll: false })
  return {
    found,
    model: isAsked ? model : undefined,
    query,
    isAsked,
    at,
    /** The moment of the address lies in hours that the reader does not see. */
    isOutside,
    noteMoment: (moment: number) => go({ at: inAddress(moment) }, true),
    showTruck: (chosen: string, onDay: string | undefined) =>
      go({ shift: undefined, truck: chosen, day: onDay, at: undefined }),
    /** The minute stays. */
    showWholeDay: (of: { truck: string; day: string }) => go({ shift: undefined, ...of }),
  }
}

export type ReplayState = ReturnType<typeof useReplay>
