import { type ClientMonth, localDay, type PopDay } from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { OFFICE_ZONE, officeZone } from '../../platform/db/office-zone.ts'
import { loadPopFigures } from '../pop/index.ts'
import { daysOfMonth, lastMonth } from './months.ts'

type Figures = ClientMonth['total']

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

/** The month without the people who can get it, who are for the office. */
export type MonthReport = Omit<ClientMonth, 'contacts'>

/** What all programs of a client delivered in a month, by default the last one that is over, with the numbers of their pages. */
export async function loadClientMonth(
  db: Db,
  client: ClientMonth['client'],
  asked: string | undefined,
  now: number,
): Promise<MonthReport> {
  const month = asked ?? lastMonth(localDay(await officeZone(db), now))
  const { from, to } = daysOfMonth(month)
  const { rows } = await sql<{ uid: string; name: string; photos: number }>`
    select p.uid, p.name,
           (select count(*)::int from pop_photo f left join market m on m.uid = f.market_uid
             where f.program_uid = p.uid and f.status = 'approved' and f.deleted_at is null
               and (coalesce(f.taken_at, f.created_at)
                      at time zone coalesce(zone_at(m.zone, m.earlier_zones, coalesce(f.taken_at, f.created_at)), ${OFFICE_ZONE}))::date
                   between ${from} and ${to}) as photos
      from client_program p
     where p.client_uid = ${client.uid} and p.deleted_at is null and p.status <> 'draft'
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
  return { client, month, from, to, programs, total }
}
