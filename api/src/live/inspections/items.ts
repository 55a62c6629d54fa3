import type { BodyOf, DriverDay, InspectionItem, inspectionItems, QueryOf } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { allRows, records } from '../../platform/db/records/records.ts'

export const inspectionItemRecords = records<'inspection_item', InspectionItem, QueryOf<typeof inspectionItems.list>>({
  table: 'inspection_item',
  noun: 'inspection item',
  columns: {
    uid: sql`t.uid`,
    name: sql`t.name`,
    nameEs: sql`t.name_es`,
    position: sql`t.position`,
    isActive: sql`t.is_active`,
    issueKind: sql`t.issue_kind`,
    isOnEveryTruck: sql`t.is_on_every_truck`,
    updatedAt: sql`t.updated_at`,
    version: sql`t.version`,
  },
  sorts: { position: sql`t.position`, name: sql`lower(t.name)` },
  filters: {},
  own: allRows,
  taken: { inspection_item_name_once: ['inspectionItemTaken', 'name'] },
})

type Input = BodyOf<typeof inspectionItems.create>

export const toItemRow = ({ name, nameEs, position, isActive, issueKind, isOnEveryTruck }: Input) => ({
  name,
  name_es: nameEs,
  position,
  is_active: isActive,
  issue_kind: issueKind,
  ...(isOnEveryTruck !== undefined && { is_on_every_truck: isOnEveryTruck }),
})

/** The list as a driver's phone shows and keeps it. */
export function activeInspectionItems(db: Db): Promise<DriverDay['inspectionItems']> {
  return db
    .selectFrom('inspection_item')
    .select(['uid', 'name', 'name_es as nameEs', 'is_on_every_truck as isOnEveryTruck'])
    .where('is_active', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('uid')
    .execute()
}
