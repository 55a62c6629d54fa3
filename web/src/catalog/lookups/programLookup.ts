import { programs } from '@roadshow/contract/catalog/programs'
import type { Program } from '@roadshow/contract/catalog/programs'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'

/** A client program in every form and filter that asks for one. Clients may give two of theirs the same name. */
export const programLookup: Lookup<Program> = {
  list: programs.list,
  sort: 'name',
  opensIn: { path: '/client-programs' },
  nameOf: ({ name, client }) => `${name} (${client.name})`,
}
