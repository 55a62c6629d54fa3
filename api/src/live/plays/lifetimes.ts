import { DAY_MS } from '@roadshow/contract'
import { sql } from 'kysely'
import { playsKeptSince } from '../../catalog/settings/index.ts'
import { dropOldWeeks } from '../../platform/db/partitions.ts'
import {
  current,
  figures,
  inSettings,
  keptUntil,
  type Lifetime,
  queue,
  type SweepContext,
  type TableLifetimes,
} from '../../platform/lifetimes/lifetime.ts'
import { dismissOldFiles } from './archive/files.ts'
import { removeLeftovers } from './archive/job.ts'

// A day of a zone ends long after the same day of UTC.
const DAYS_AROUND = 3

/** Rows of plays go when the plays do: at the age that Settings say, or later by a legal hold. */
const withPlays = <Column extends string>(
  column: Column,
  bound: string,
  { daysLonger = 0, by }: { daysLonger?: number; by?: NonNullable<Lifetime['ends']>['by'] } = {},
): Lifetime<Column> => ({
  kept: inSettings('keepPlaysDays'),
  bound,
  ends: {
    column,
    before: ({ settings, now }) => playsKeptSince(settings, now) - daysLonger * DAY_MS,
    ...(by && { by }),
  },
})

const IDS_AT_ONCE = 50_000

/** Deletes ids of old plays. The index on days knows ranges of the table, not their order. */
async function deleteOldIds({ db }: SweepContext, before: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from known_play where ctid = any(array(
      select ctid from known_play where day < ${before}::timestamptz::date limit ${sql.lit(IDS_AT_ONCE)}))`.execute(db)
  return Number(numAffectedRows) === IDS_AT_ONCE
}

/** Forgets a gap in a device's sequence once the missing plays have arrived. */
async function forgetFilledGaps({ db }: SweepContext): Promise<boolean> {
  await sql`delete from play_after_hole a using play_sequence q
             where q.device_uid = a.device_uid and (q.received + q.rejected + q.duplicates) @> a.sequence - 1`.execute(
    db,
  )
  return false
}

/** The most rejections of a device that are listed one by one; their numbers stay counted. */
const LISTED_REJECTIONS = 10_000

async function limitRejections({ db }: SweepContext): Promise<boolean> {
  await sql`
    delete from play_rejection r
     using (select device_uid, max(received_at) as until
              from (select device_uid, received_at,
                           row_number() over (partition by device_uid order by received_at desc, sequence desc) as place
                      from play_rejection) n
             where place > ${LISTED_REJECTIONS} group by device_uid) old
     where r.device_uid = old.device_uid and r.received_at <= old.until`.execute(db)
  return false
}

// A play as old as this is rejected, so its id and its rejection are of no use.
const plays = 'Plays by week, dropped as whole tables; their ids and rejections a little later.'

export const playLifetimes: TableLifetimes = {
  play: withPlays('started_at', plays, { by: dropOldWeeks('play') }),
  known_play: withPlays('day', plays, { daysLonger: DAYS_AROUND, by: deleteOldIds }),
  play_hour: figures,
  play_address_hour: figures,
  play_sequence: current,
  play_after_hole: {
    kept: 'until the missing plays arrive',
    bound: 'Open gaps in the numbers of a player, at most 2,000 for each.',
    also: forgetFilledGaps,
  },
  play_rejection: { ...withPlays('received_at', plays, { daysLonger: DAYS_AROUND }), also: limitRejections },
  grading_backlog: queue,
  grading_due: queue,
  grading_run: current,
  figure_change: queue,
  work_before: queue,
  play_archive: withPlays('day', 'One row for each archived day and market, ended with the plays of its file.', {
    by: dismissOldFiles,
  }),
  play_archive_leftover: keptUntil(
    'remove_after',
    { kept: 'at most 30 days', bound: 'Files of the archive that were replaced, until they are removed.' },
    { by: removeLeftovers },
  ),
  play_correction: withPlays(
    'started_at',
    'At most one row for each play that was graded otherwise after it was delivered.',
    { daysLonger: DAYS_AROUND },
  ),
}
