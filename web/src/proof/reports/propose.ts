import { useEffect, useEffectEvent } from 'react'
import type { UrlSearch } from '../../ui/useListState.ts'

export const textOf = (given: UrlSearch, name: string) => (typeof given[name] === 'string' ? given[name] : undefined)

/** Puts proposed filters into the URL once they are known. */
export function usePropose(ask: (changes: UrlSearch, replace?: boolean) => void, proposed: UrlSearch) {
  const propose = useEffectEvent(() => ask(proposed, true))
  const proposal = JSON.stringify(proposed)
  useEffect(() => {
    if (proposal !== '{}') propose()
  }, [proposal])
}
