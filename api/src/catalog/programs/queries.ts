import type { BodyOf, Program, programs, QueryOf } from '@roadshow/contract'
import type { Db } from '../../platform/db/connection.ts'
import { records } from '../../platform/db/records/records.ts'

export const programRecords = records<'client_program', Program, QueryOf<typeof programs.list>>({
  table: 'client_program',
  noun: 'program',
  joins: 'left join client c on c.uid = t.client_uid',
  columns: {
    uid: 't.uid',
    client: `json_build_object('uid', c.uid, 'name', c.name)`,
    name: 't.name',
    status: 't.status',
    startsOn: 't.starts_on',
    endsOn: 't.ends_on',
    popUrl: 't.pop_url',
    markets: `coalesce((
      select json_agg(json_build_object('uid', m.uid, 'name', m.name, 'zone', m.zone,
                                        'startsOn', pm.starts_on, 'endsOn', pm.ends_on) order by pm.position)
        from program_market pm join market m on m.uid = pm.market_uid where pm.program_uid = t.uid), '[]')`,
    note: 't.note',
    createdAt: 't.created_at',
    updatedAt: 't.updated_at',
    version: 't.version',
  },
  sorts: {
    name: 't.name',
    status: 't.status',
    startsOn: 't.starts_on',
    endsOn: 't.ends_on',
    updatedAt: 't.updated_at',
  },
  filters: {
    client: 't.client_uid = any(?)',
    status: 't.status = any(?)',
    market: 'exists (select from program_market pm where pm.program_uid = t.uid and pm.market_uid = any(?))',
    runningOn: '?::date between t.starts_on and t.ends_on',
    uid: 't.uid = any(?)',
  },
  own: ({ clientUid }) => ['t.client_uid = ?', clientUid],
  taken: {
    program_pop_url_once: ['popUrlTaken', 'popUrl'],
    program_name_once: ['programNameTaken', 'name'],
  },
})

/** Makes a program's markets these. Its own row must be written first, in the same transaction: it says who did it. */
export async function saveMarkets(db: Db, uid: string, markets: BodyOf<typeof programs.create>['markets']) {
  const rows = markets.map(({ marketUid, startsOn, endsOn }, position) => ({
    program_uid: uid,
    market_uid: marketUid,
    starts_on: startsOn,
    ends_on: endsOn,
    position,
  }))
  const others = db.deleteFrom('program_market').where('program_uid', '=', uid)
  if (rows.length === 0) {
    await others.execute()
    return
  }
  const kept = rows.map((row) => row.market_uid)
  await others.where('market_uid', 'not in', kept).execute()
  await db
    .insertInto('program_market')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['program_uid', 'market_uid']).doUpdateSet((row) => ({
        starts_on: row.ref('excluded.starts_on'),
        ends_on: row.ref('excluded.ends_on'),
        position: row.ref('excluded.position'),
      })),
    )
    .execute()
}
