import { artworkSets, artworkStatusLabel } from '@roadshow/contract/catalog/artwork'
import type { ArtworkSet } from '@roadshow/contract/catalog/artwork'
import { useCall } from '../../api/useCall.ts'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'

const approvedLookup: Lookup<ArtworkSet> = {
  list: artworkSets.list,
  sort: 'name',
  nameOf: ({ name, program }) => `${name} · ${program.name}`,
  given: { status: 'approved' },
}

interface ArtworkSelectProps {
  value?: string | null
  onChange?: (uid: string | null) => void
  id?: string
}

/** Chooses one of the approved artwork sets, or none. */
export function ArtworkSelect({ value, onChange, ...field }: ArtworkSelectProps) {
  const chosen = useCall(artworkSets.get, { params: { uid: value ?? '' } }, { enabled: Boolean(value), retry: false })
  const current = value ? { uid: value, name: nameOf(chosen.data, chosen.isError) } : null
  return (
    <RecordSelect<string | null>
      {...field}
      lookup={approvedLookup}
      current={current}
      value={value ?? null}
      onChange={(uid) => onChange?.(uid ?? null)}
      placeholder="No artwork"
    />
  )
}

function nameOf(set: ArtworkSet | undefined, isMissing: boolean): string {
  if (!set) return isMissing ? 'Deleted artwork set' : 'Loading…'
  const name = approvedLookup.nameOf(set)
  return set.status === 'approved' ? name : `${name} (${artworkStatusLabel[set.status].toLowerCase()})`
}
