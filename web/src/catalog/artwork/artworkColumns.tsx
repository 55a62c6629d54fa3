import { artworkField, artworkStatusLabel } from '@roadshow/contract/catalog/artwork'
import type { ArtworkSet, ArtworkStatus } from '@roadshow/contract/catalog/artwork'
import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import { clientLookup } from '../lookups/clientLookup.ts'
import { programLookup } from '../lookups/programLookup.ts'
import type { Column } from '../../ui/rows/columns.ts'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { Row } from '../../ui/layout.tsx'
import styles from './artwork.module.css'

const statusTone: Record<ArtworkStatus, Tone> = { draft: 'silent', approved: 'driving' }

export const ArtworkStatusTag = ({ status }: Pick<ArtworkSet, 'status'>) => (
  <StateTag tone={statusTone[status]}>{artworkStatusLabel[status]}</StateTag>
)

/** The three sides at a glance; what is missing is a gap. */
const Sides = ({ set }: { set: ArtworkSet }) => (
  <Row as="span" gap={1}>
    {truckSides.map((side) => {
      const file = set[artworkField[side]]
      return file?.thumbnailUrl ? (
        <img key={side} src={file.thumbnailUrl} alt={truckSideLabel[side]} className={styles.side} loading="lazy" />
      ) : (
        <span key={side} className={styles.side} data-missing={!file} title={truckSideLabel[side]}>
          {file ? '▶' : ''}
        </span>
      )
    })}
  </Row>
)

export const artworkColumns: Column<ArtworkSet>[] = [
  { key: 'name', title: 'Name', width: 220, render: (set) => set.name },
  { key: 'sides', title: 'Driver, passenger, rear', width: 200, render: (set) => <Sides set={set} /> },
  { key: 'status', title: 'Status', width: 120, render: (set) => <ArtworkStatusTag status={set.status} /> },
  { key: 'program', title: 'Program', width: 200, render: (set) => set.program.name },
  { key: 'client', title: 'Client', render: (set) => set.client.name },
  { key: 'approvedBy', title: 'Approved by', width: 150, secondary: true, render: (set) => set.approvedBy?.name },
]

export const artworkFilters: Filter[] = [
  { key: 'status', label: 'Status', words: artworkStatusLabel },
  { key: 'client', label: 'Client', lookup: clientLookup },
  { key: 'program', label: 'Program', lookup: programLookup },
]
