import { AppError } from '../../platform/runtime/app-error.ts'
import type { Db } from '../../platform/db/connection.ts'

/** Refuses what would take an artwork set from the rotation of its program. */
export async function refuseIfInRotation(db: Db, artworkSetUid: string): Promise<void> {
  const found = await db
    .selectFrom('rotation_line as l')
    .innerJoin('client_program as p', 'p.uid', 'l.program_uid')
    .select(['p.uid', 'p.name'])
    .where('l.artwork_set_uid', '=', artworkSetUid)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) return
  throw new AppError('stillNeeded', {
    text: `The rotation of ${found.name} still shows this artwork. Take it out of the rotation first.`,
    inTheWay: [
      {
        kind: 'rotation',
        name: `Rotation of ${found.name}`,
        screen: `/client-programs?open=${found.uid}&tab=rotation`,
        act: null,
      },
    ],
  })
}
