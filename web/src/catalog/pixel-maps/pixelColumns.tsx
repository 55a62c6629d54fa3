import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import type { PixelMap } from '@roadshow/contract/catalog/pixel-maps'
import type { Column } from '../../ui/columns.ts'
import { localZone, timestamp } from '../../ui/time.ts'
import { CanvasDrawing } from './CanvasDrawing.tsx'
import { pitchText, sizeText } from './measures.ts'
import styles from './pixelColumns.module.css'

const Thumbnail = ({ map }: { map: PixelMap }) => (
  <span className={styles.thumbnail}>
    <CanvasDrawing canvas={map} sides={map.sides} />
  </span>
)

export const pixelColumns: Column<PixelMap>[] = [
  { key: 'name', title: 'Name', width: 200, render: (map) => map.name },
  { key: 'drawing', title: 'Drawn to scale', width: 120, render: (map) => <Thumbnail map={map} /> },
  { key: 'canvas', title: 'Canvas (px)', width: 110, align: 'right', render: sizeText },
  ...truckSides.map((side): Column<PixelMap> => ({
    key: side,
    title: `${truckSideLabel[side]} (px)`,
    width: 140,
    align: 'right',
    secondary: true,
    render: (map) => sizeText(map.sides[side]),
  })),
  { key: 'pitch', title: 'Pitch (mm)', width: 90, align: 'right', render: (map) => pitchText(map.pitchUm) },
  { key: 'trucks', title: 'Trucks', width: 70, align: 'right', render: (map) => String(map.trucks) },
  {
    key: 'updatedAt',
    title: `Changed (${localZone()})`,
    width: 190,
    secondary: true,
    render: (map) => timestamp(map.updatedAt),
  },
]
