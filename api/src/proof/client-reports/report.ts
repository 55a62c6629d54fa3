import { addDays, type ClientMonth, DEFAULT_ZONE, localDay, type PopDay } from '@roadshow/contract'
import { sql } from 'kysely'
import { clientRecords } from '../../catalog/clients/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import { officeZone } from '../../platform/http/fill-in.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { loadPopFigures } from '../pop/index.ts'

type Figures = ClientMonth['total']

/** The last month that is over. */
export const lastMonth = (today: string): string => addDays(`${today.slice(0, 8)}01`, -1).slice(0, 7)

/** The days of a month. */
export function daysOfMonth(month: string): { from: string; to: string } {
  const from = `${month}-01`
  return { from, to: addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1) }
}

const none: Figures = { shifts: 0, seconds: 0, metres: 0, plays: 0, verifiedPlays: 0, photos: 0 }

const plus = (sum: Figures, more: Figures): Figures => ({
  shifts: sum.shifts + more.shifts,
  seconds: sum.seconds + more.seconds,
  metres: sum.metres + more.metres,
  plays: sum.plays + more.plays,
  verifiedPlays: sum.verifiedPlays + more.verifiedPlays,
  photos: sum.photos + more.photos,
})

const figuresOf = ({ shifts = 0, seconds = 0, metres, plays, verifiedPlays }: PopDay): Figures => ({
  shifts,
  seconds,
  metres,
  plays,
  verifiedPlays,
  photos: 0,
})

/** What all programs of a client delivered in a month, with the numbers of their pages. */
export async function loadClientMonth(
  db: Db,
  scope: Scope,
  uid: string,
  asked: string | undefined,
): Promise<ClientMonth> {
  const { name, contacts } = await clientRecords.get(db, scope, uid)
  const month = asked ?? lastMonth(localDay(await officeZone(db), await sharedNow(db)))
  const { from, to } = daysOfMonth(month)
  const { rows } = await sql<{ uid: string; name: string; photos: number }>`
    select p.uid, p.name,
           (select count(*)::int from pop_photo f left join market m on m.uid = f.market_uid
             where f.program_uid = p.uid and f.status = 'approved' and f.deleted_at is null
               and (coalesce(f.taken_at, f.created_at)
                      at time zone coalesce(zone_at(m.zone, m.earlier_zones, coalesce(f.taken_at, f.created_at)), ${DEFAULT_ZONE}))::date
                   between ${from} and ${to}) as photos
      from client_program p
     where p.client_uid = ${uid} and p.deleted_at is null and p.status <> 'draft'
       and p.starts_on <= ${to} and p.ends_on >= ${from}
     order by p.name, p.uid`.execute(db)
  const programs: ClientMonth['programs'] = []
  for (const program of rows) {
    const { markets } = await loadPopFigures(db, program.uid)
    const days = [...markets.values()].flatMap((market) => market.days.filter(({ day }) => day >= from && day <= to))
    const figures = days.map(figuresOf).reduce(plus, { ...none, photos: program.photos })
    programs.push({ program: { uid: program.uid, name: program.name }, ...figures })
  }
  const total = programs.reduce<Figures>((sum, { program: _program, ...figures }) => plus(sum, figures), none)
  const reachable = scope.rows === 'own' ? [] : contacts.filter(({ email }) => email !== '')
  return {
    client: { uid, name },
    month,
    from,
    to,
    programs,
    total,
    contacts: reachable.map((each) => ({ name: each.name, email: each.email })),
  }
}
