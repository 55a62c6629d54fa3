import type { SetupStanding } from '@roadshow/contract'
import { sql } from 'kysely'
import type { AppContext } from '../../platform/context.ts'
import type { Db } from '../../platform/db/connection.ts'
import { readInstallation } from './queries.ts'
import { greetingOf, isUnfinished, type SetupFacts, type SetupNotes } from './setup-rules.ts'

type StoredFacts = Omit<SetupFacts, 'hasTracker' | 'hasMailServer' | 'position'> & {
  hasSource: boolean
  positionAt: string | null
  positionTruck: string | null
}

/**
 * The newest position that a tracker sent, with its truck. Phones, players and files are no trackers; what they placed last
 * is known to the minute. MyGeotab has no row in `truck_source`.
 */
const NEWEST_OF_TRACKERS = sql`
  select f.at, k.number
    from (select n.truck_uid, n.at from truck_now n
           where not exists (select from truck_source o join position_source s on s.uid = o.source_uid
                              where o.truck_uid = n.truck_uid and s.kind in ('phone', 'player', 'file')
                                and o.last_at >= date_trunc('minute', n.at))
           union all
          select o.truck_uid, o.last_at from truck_source o join position_source s on s.uid = o.source_uid
           where s.kind not in ('phone', 'player', 'file')) f
    join truck k on k.uid = f.truck_uid
   where f.at is not null order by f.at desc limit 1`

/** What the list of a new company is derived from, in one statement that never counts what grows with time. */
async function readFacts(db: Db, userUid: string): Promise<StoredFacts> {
  const { rows } = await sql<StoredFacts>`
    select exists (select from setting where key = 'companyName' and value <> 'null'::jsonb) as "hasCompanyName",
           m.markets, m."marketsWithArea", t.trucks, t."ledTrucks", t."trackedTrucks",
           (select count(*)::int from user_account where role = 'driver' and deleted_at is null) as drivers,
           (select count(*)::int from client where deleted_at is null) as clients,
           (select count(*)::int from client_program where deleted_at is null) as programs,
           a."approvedSets", a."draftSets",
           exists (select from position_source
             where key_hash is not null and revoked_at is null and deleted_at is null and is_enabled)
             or exists (select from position_account) as "hasSource",
           (select count(*)::int from (select from unknown_tracker limit 100) found) as "unknownTrackers",
           (select last_error from position_source
             where last_error is not null and revoked_at is null and deleted_at is null and is_enabled
             order by last_error_at desc limit 1) as "trackerProblem",
           newest.at as "positionAt", newest.number as "positionTruck",
           d."pairedScreens", d."screenSeenAt",
           greatest(w.sent, c.last_success_at) as "mailSentAt",
           coalesce(
             (select c.last_error where c.last_error_at > coalesce(greatest(w.sent, c.last_success_at), '-infinity')),
             (select problem from message
               where channel = 'mail' and problem is not null and state <> 'cancelled'
                 and created_at > coalesce(greatest(w.created, c.last_success_at), '-infinity')
               order by created_at desc limit 1)) as "mailProblem",
           exists (select from passkey where user_uid = ${userUid})
             or exists (select from code_app where user_uid = ${userUid} and added_at is not null) as "hasSecondFactor",
           (exists (select from shift where deleted_at is null and status <> 'cancelled'))::int as shifts,
           (select min(starts_at) from shift
             where deleted_at is null and status = 'planned' and starts_at > now()) as "nextShiftAt",
           exists (select 1 from play_sequence where not isempty(received)) as "hasPlays",
           (select max(played_at) from truck_now) as "playedAt",
           (select count(*)::int from (select from pop_photo
             where status = 'approved' and deleted_at is null limit 100) found) as "approvedPhotos",
           (select count(*)::int from (select from pop_photo
             where status = 'waiting' and deleted_at is null limit 100) found) as "waitingPhotos",
           (select count(*)::int from (select from pop_version limit 100) found) as "publishedPops"
      from (select count(*)::int as markets,
                   (count(*) filter (where outline is not null or radius_m is not null))::int as "marketsWithArea"
              from market where deleted_at is null) m,
           (select count(*)::int as trucks,
                   (count(*) filter (where kind = 'led'))::int as "ledTrucks",
                   (count(*) filter (where geotab_device_id <> ''
                     or exists (select from truck_tracker r where r.truck_uid = truck.uid)))::int as "trackedTrucks"
              from truck where deleted_at is null and state <> 'retired') t,
           (select (count(*) filter (where status = 'approved'))::int as "approvedSets",
                   (count(*) filter (where status = 'draft'))::int as "draftSets"
              from artwork_set where deleted_at is null) a,
           (select count(*)::int as "pairedScreens", max(s.seen_at) as "screenSeenAt"
              from device p left join device_seen s on s.device_uid = p.uid
             where p.kind = 'player' and p.deleted_at is null and p.paired_at is not null and p.revoked_at is null) d
      left join (select max(done_at) as sent, max(created_at) as created from message
                  where channel = 'mail' and state = 'sent') w on true
      left join connection_check c on c.connection = 'mail'
      left join (${NEWEST_OF_TRACKERS}) newest on true
  `.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('A statement that only counts answers one row.')
  return facts
}

const notesOf = ({
  started_at,
  passed_steps,
  dismissed_at,
}: Awaited<ReturnType<typeof readInstallation>>): SetupNotes => ({
  startedAt: started_at,
  passedSteps: passed_steps,
  dismissedAt: dismissed_at,
})

/** The little that every page of an admin asks for. In production no data are those of a demo. */
export async function readStanding(db: Db, isProduction: boolean): Promise<SetupStanding> {
  const row = await readInstallation(db)
  const published = await db.selectFrom('pop_version').select('number').limit(1).execute()
  const notes = notesOf(row)
  return {
    greeting: greetingOf(notes),
    isUnfinished: isUnfinished({ publishedPops: published.length }, notes),
    demo: isProduction || row.demo === 'emptied' ? null : (row.demo as SetupStanding['demo']),
  }
}

type Connected = Pick<AppContext, 'env' | 'isSimulated'>

export async function loadSetup(
  db: Db,
  userUid: string,
  { env, isSimulated }: Connected,
): Promise<{ facts: SetupFacts; notes: SetupNotes }> {
  const notes = notesOf(await readInstallation(db))
  const { positionAt, positionTruck, hasSource, ...facts } = await readFacts(db, userUid)
  return {
    facts: {
      ...facts,
      position: positionAt === null ? null : { at: positionAt, truck: positionTruck ?? '' },
      hasTracker: isSimulated || hasSource || Boolean(env.geotab),
      hasMailServer: Boolean(env.smtpUrl),
    },
    notes,
  }
}
