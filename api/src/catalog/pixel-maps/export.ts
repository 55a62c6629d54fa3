import { type pixel, type PixelMap, type QueryOf, truckSideLabel, truckSides, UM_PER_MM } from '@roadshow/contract'
import type { ListSheet } from '../../platform/spreadsheet/list-or-export.ts'
import { countColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'

const sideColumns = truckSides.map((side) => {
  const cell = ({ sides }: PixelMap) => {
    const { x, y, width, height } = sides[side]
    return `${width} × ${height} at ${x}, ${y}`
  }
  return [truckSideLabel[side], cell] as const
})

export const pixelMapSheet: ListSheet<PixelMap, QueryOf<typeof pixel.list>> = {
  name: 'pixel-maps',
  columns: {
    Name: (map) => map.name,
    'Width (px)': countColumn((map) => map.width),
    'Height (px)': countColumn((map) => map.height),
    'Pitch (mm)': (map) => map.pitchUm / UM_PER_MM,
    ...Object.fromEntries(sideColumns),
    Trucks: countColumn((map) => map.trucks),
    'Retired trucks': countColumn((map) => map.retiredTrucks),
    Note: (map) => map.note,
    Updated: timeColumn((map) => map.updatedAt),
  },
  filters: async (_db, _scope, { uid }) => (uid ? [`${uid.length} chosen`] : []),
}
