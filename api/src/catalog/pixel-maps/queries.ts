import type { pixel, PixelMap, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allRows, records } from '../../platform/db/records/records.ts'
import { searchText } from '../../platform/db/records/search-text.ts'

/** Outsiders do not search notes. */
export const pixelMapText = searchText((t) => sql`${t}.name`)

export const pixelMapRecords = records<'pixel_map', PixelMap, QueryOf<typeof pixel.list>>({
  table: 'pixel_map',
  columns: {
    uid: sql`t.uid`,
    name: sql`t.name`,
    width: sql`t.width`,
    height: sql`t.height`,
    pitchUm: sql`t.pitch_um`,
    sides: sql`t.sides`,
    note: sql`t.note`,
    trucks: sql`(select count(*) from truck where pixel_map_uid = t.uid and deleted_at is null and state <> 'retired')`,
    retiredTrucks: sql`(select count(*) from truck where pixel_map_uid = t.uid and deleted_at is null and state = 'retired')`,
    createdAt: sql`t.created_at`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { name: sql`t.name`, updatedAt: sql`t.updated_at` },
  filters: { uid: (uid) => sql`t.uid = any(${uid})` },
  searchText: pixelMapText,
  own: allRows,
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
