import { type pixel, type PixelMap, type QueryOf, truckSideLabel, truckSides, UM_PER_MM } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { countColumn, timeColumn } from '../../platform/spreadsheet/columns.ts'

const sideColumns = truckSides.map((side) => {
  const cell = ({ sides }: PixelMap) => {
    const { x, y, width, height } = sides[side]
    return `${width} × ${height} at ${x}, ${y}`
  }
  return [truckSideLabel[side], cell] as const
})

export const pixelMapSheet = {
  name: 'pixel-maps',
  columns: {
    Name: (map: PixelMap) => map.name,
    'Width (px)': countColumn((map: PixelMap) => map.width),
    'Height (px)': countColumn((map: PixelMap) => map.height),
    'Pitch (mm)': (map: PixelMap) => map.pitchUm / UM_PER_MM,
    ...Object.fromEntries(sideColumns),
    Trucks: countColumn((map: PixelMap) => map.trucks),
    'Retired trucks': countColumn((map: PixelMap) => map.retiredTrucks),
    Note: (map: PixelMap) => map.note,
    Updated: timeColumn((map: PixelMap) => map.updatedAt),
  },
  filters: async (_db: Db, _scope: Scope, { uid }: QueryOf<typeof pixel.list>) => (uid ? [`${uid.length} chosen`] : []),
}
