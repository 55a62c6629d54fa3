import {
  type Campaign,
  type CampaignPhase,
  type campaigns,
  type CampaignPhoto,
  type QueryOf,
  type UpcomingShift,
} from '@roadshow/contract'
import { sql } from 'kysely'
import { isPublicPop, programToday } from '../../catalog/in-use/index.ts'
import { programText } from '../../catalog/programs/index.ts'
import { countTrucksOfPrograms } from '../../live/fleet/index.ts'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { type SqlFragment, uidAndName } from '../../platform/db/records/fragments.ts'
import { records } from '../../platform/db/records/records.ts'
import type { Actor, Scope } from '../../platform/db/records/scope.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { deliveriesOf } from '../delivery/index.ts'
import { type ApprovedPhoto, newestApproved, pictureAddresses } from '../photos/index.ts'
import { loadProgramDays } from '../pop/index.ts'
import { daysOfWeek, weekOf } from './week.ts'

type Query = QueryOf<typeof campaigns.list>

const PHOTOS = 6
const SHIFTS = 5

export const TODAY = programToday(sql`t.uid`)

const PHASE = sql<CampaignPhase>`case when t.status = 'completed' or t.ends_on < ${TODAY} then 'ended'
  when t.starts_on > ${TODAY} then 'upcoming' else 'running' end`

/** Whether program `t`, which is no draft, runs on the present day of its markets. */
export const IS_RUNNING = sql`(${PHASE}) = 'running'`

/** Running campaigns by their end, then paused ones; upcoming ones by their start, then ended ones with the last first. */
const BY_PHASE = sql`(case (${PHASE})
  when 'running' then case t.status when 'paused' then '1b' else '1a' end || to_char(t.ends_on, 'YYYY-MM-DD')
  when 'upcoming' then '2' || to_char(t.starts_on, 'YYYY-MM-DD')
  else '3' || lpad((date '2200-01-01' - t.ends_on)::text, 8, '0') end)`

/** The markets of program `t` in their order. */
export const MARKETS = sql`coalesce((
  select json_agg(json_build_object('uid', m.uid, 'name', m.name) order by pm.position)
    from program_market pm join market m on m.uid = pm.market_uid where pm.program_uid = t.uid), '[]')`

const ownPrograms = ({ clientUid }: Actor): SqlFragment => sql`t.client_uid = ${clientUid}`

/** A campaign with its present day, before the parts of other tables are read. */
interface CampaignRow extends Campaign {
  today: string
}

const rows = records<'client_program', CampaignRow, Query>({
  table: 'client_program',
  noun: 'campaign',
  joins: sql`join client c on c.uid = t.client_uid join pop o on o.uid = t.uid`,
  columns: {
    uid: sql`t.uid`,
    name: sql`t.name`,
    client: uidAndName('c'),
    status: sql`t.status`,
    phase: sql`(${PHASE})`,
    startsOn: sql`t.starts_on`,
    endsOn: sql`t.ends_on`,
    markets: MARKETS,
    popUrl: sql`case when ${isPublicPop} then t.pop_url end`,
    popVersion: sql`case when ${isPublicPop} then o.shown_version end`,
    today: sql`(${TODAY})`,
    delivery: sql`null`,
    trucksOut: sql`0`,
    week: sql`null`,
    photos: sql`null`,
    photosTotal: sql`0`,
    upcoming: sql`null`,
    upcomingTotal: sql`0`,
  },
  sorts: { phase: BY_PHASE, name: sql`t.name` },
  filters: {
    client: (client) => sql`t.client_uid = any(${client})`,
    phase: (phase) => sql`(${PHASE}) = any(${phase})`,
    uid: (uid) => sql`t.uid = any(${uid})`,
  },
  unstampedFilters: ['phase'],
  searchText: programText,
  own: ownPrograms,
  only: sql`t.status <> 'draft'`,
})

/** One page of campaigns with all that their cards show. */
export async function pageOfCampaigns(db: Db, scope: Scope, query: Query) {
  const found = await rows.page(db, scope, query)
  return { ...found, data: found.data.length > 0 ? await withParts(db, scope, found.data) : [] }
}

async function withParts(db: Db, scope: Scope, found: readonly CampaignRow[]): Promise<Campaign[]> {
  const now = await sharedNow(db)
  const uids = found.map(({ uid }) => uid)
  const todays = found.map(({ today }) => today).toSorted()
  const { from } = daysOfWeek(todays[0] ?? '')
  const { to } = daysOfWeek(todays.at(-1) ?? '')
  const figures = await loadProgramDays(db, uids, { from, to })
  const photos = byProgram(await newestApproved(db, uids, PHOTOS))
  const shifts = byProgram(await nextShifts(db, uids))
  const trucks = await countTrucksOfPrograms(db, uids, now)
  const deliveries = await deliveriesOf(db, scope, uids, now)
  return found.flatMap(({ today, ...campaign }) => {
    const delivery = deliveries.get(campaign.uid)
    // A program that was deleted meanwhile has none.
    if (!delivery) return []
    const [ownPhotos, ownShifts] = [photos.get(campaign.uid) ?? [], shifts.get(campaign.uid) ?? []]
    return {
      ...campaign,
      delivery,
      trucksOut: trucks.get(campaign.uid) ?? 0,
      week: weekOf(figures.get(campaign.uid) ?? [], today),
      photos: ownPhotos.map(toCampaignPhoto),
      photosTotal: ownPhotos[0]?.total ?? 0,
      upcoming: ownShifts.map(toUpcomingShift),
      upcomingTotal: ownShifts[0]?.total ?? 0,
    }
  })
}

const byProgram = <Row extends { programUid: string }>(found: readonly Row[]) =>
  groupBy(found, ({ programUid }) => programUid)

const toCampaignPhoto = (photo: ApprovedPhoto): CampaignPhoto => ({
  uid: photo.uid,
  urls: pictureAddresses(photo.key),
  width: photo.sizes.large.width,
  height: photo.sizes.large.height,
  blur: photo.blur,
  caption: photo.caption,
  market: photo.market,
  takenAt: photo.takenAt,
  zone: photo.zone,
  grade: photo.grade,
})

const toUpcomingShift = ({ programUid: _program, total: _total, ...shift }: NextShift): UpcomingShift => shift

interface NextShift extends UpcomingShift {
  programUid: string
  total: number
}

/** The next planned shifts of each program, and how many there are. */
export async function nextShifts(db: Db, programUids: readonly string[], most = SHIFTS): Promise<NextShift[]> {
  const { rows: found } = await sql<NextShift>`
    select p.uid as "programUid", f.* from unnest(${programUids}::uuid[]) p (uid) cross join lateral (
      select s.uid, s.local_date as date, to_char(s.start_time, 'HH24:MI') as start, to_char(s.end_time, 'HH24:MI') as "end",
             s.zone, m.name as market, (count(*) over ())::int as total
        from shift s join market m on m.uid = s.market_uid
       where s.program_uid = p.uid and s.deleted_at is null and s.status = 'planned' and s.starts_at > now()
       order by s.starts_at, s.uid limit ${most}) f`.execute(db)
  return found
}
