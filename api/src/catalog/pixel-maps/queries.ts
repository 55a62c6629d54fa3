import type { pixel, PixelMap, QueryOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { everybodys, records } from '../../platform/db/records/records.ts'

export const pixelMapRecords = records<'pixel_map', PixelMap, QueryOf<typeof pixel.list>>({
  table: 'pixel_map',
  columns: {
    uid: 't.uid',
    name: 't.name',
    width: 't.width',
    height: 't.height',
    pitchUm: 't.pitch_um',
    sides: 't.sides',
    note: 't.note',
    trucks: '(select count(*) from truck where pixel_map_uid = t.uid and deleted_at is null)',
    createdAt: 't.created_at',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: { name: 't.name', updatedAt: 't.updated_at' },
  filters: { uid: 't.uid = any(?)' },
  own: everybodys,
  taken: { pixel_map_name_once: ['pixelMapTaken', 'name'] },
})

/** Numbers of the trucks that have a pixel map. */
export async function trucksWithPixelMap(db: Db, pixelMapUid: string): Promise<string[]> {
  const found = await db
    .selectFrom('truck')
    .select('number')
    .where('pixel_map_uid', '=', pixelMapUid)
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
  return found.map(({ number }) => number)
}
