import { markets } from '@roadshow/contract/catalog/markets'
import type { Market } from '@roadshow/contract/catalog/markets'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'

/** A market in every form and filter that asks for one. */
export const marketLookup: Lookup<Market> = {
  list: markets.list,
  sort: 'name',
  opensIn: { param: 'markets' },
  nameOf: ({ name, state }) => (state ? `${name}, ${state}` : name),
}
