import { fitOf } from '@roadshow/contract/catalog/artwork'
import type { TruckGroup } from '@roadshow/contract/catalog/artwork'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import type { FileRef } from '@roadshow/contract/platform/files'
import { Row, Soft } from '../../ui/layout.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import { FitTag } from './FitTag.tsx'
import { useTruckGroups } from './useTruckGroups.ts'
import styles from './artwork.module.css'

interface PanelSize {
  width: number
  height: number
  trucks: number
}

/** The sizes that a side has on the fleet, the most frequent first. */
export function sizesOfSide(groups: readonly TruckGroup[], side: TruckSide): PanelSize[] {
  const sizes = new Map<string, PanelSize>()
  for (const { panels, trucks } of groups) {
    if (!panels) continue
    const { width, height } = panels[side]
    const key = `${width} ${height}`
    sizes.set(key, { width, height, trucks: trucks + (sizes.get(key)?.trucks ?? 0) })
  }
  return [...sizes.values()].toSorted((one, other) => other.trucks - one.trucks)
}

/** The pixel sizes that a side needs, and how the file at hand meets each of them. */
export function SideSizes({ side, file }: { side: TruckSide; file: FileRef | undefined }) {
  const { data: groups } = useTruckGroups()
  const sizes = sizesOfSide(groups ?? [], side)
  if (sizes.length === 0) return null
  return (
    <ul className={styles.sizes} aria-label="Sizes on the trucks">
      {sizes.map((size) => (
        <Row as="li" gap={2} lineGap={0} align="center" wrap key={`${size.width} ${size.height}`}>
          <span className="figures">
            {size.width} × {size.height} px
          </span>{' '}
          <Soft>{countOf(size.trucks, 'truck')}</Soft>
          {file && <FitTag fit={fitOf(file, size)} />}
        </Row>
      ))}
    </ul>
  )
}
