import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import type { PixelMap } from '@roadshow/contract/catalog/pixel-maps'
import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Column } from '../../ui/rows/columns.ts'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import { CanvasDrawing } from './CanvasDrawing.tsx'
import { pitchText, sizeText } from './measures.ts'
import styles from './pixelMaps.module.css'

const Thumbnail = ({ map }: { map: PixelMap }) => (
  <span className={styles.thumbnail}>
    <CanvasDrawing canvas={map} sides={map.sides} />
  </span>
)

/** The trucks of a map, and apart from them the retired ones; each count leads to its trucks. */
const TrucksOfMap = ({ map: { uid, trucks: count, retiredTrucks } }: { map: PixelMap }) => (
  <>
    <FigureLink list={trucks.list} to="/trucks" search={{ pixelMap: uid, state: ['active', 'inShop'] }}>
      {formatCount(count)}
    </FigureLink>
    {retiredTrucks > 0 && (
      <>
        {' + '}
        <FigureLink list={trucks.list} to="/trucks" search={{ pixelMap: uid, state: 'retired' }}>
          {formatCount(retiredTrucks)} retired
        </FigureLink>
      </>
    )}
  </>
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
  { key: 'trucks', title: 'Trucks', width: 130, align: 'right', render: (map) => <TrucksOfMap map={map} /> },
]
