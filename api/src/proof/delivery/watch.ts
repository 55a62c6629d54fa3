import type { LineDelivery } from '@roadshow/contract'
import { sql } from 'kysely'
import { anyOf } from '../../platform/db/any-of.ts'
import type { Db } from '../../platform/db/connection.ts'
import { rowsAsTable } from '../../platform/db/rows-as-table.ts'
import {
  type Condition,
  defineWatch,
  eventCondition,
  type Found,
  type FoundEvent,
  raisedSubjects,
} from '../../platform/watcher/index.ts'
import { type ProgramBehind, programsBehind } from './issues.ts'
import { isBehind } from './rules.ts'

type FoundProgram = FoundEvent<'delivery.behind'>

/** The lines of a program that are behind. */
const linesBehind = ({ delivery: { lines } }: ProgramBehind) => lines.filter(({ state }) => state === 'behind')

/** A program with booked lines that is behind, by the numbers that every screen shows. */
const toFoundProgram = (behind: ProgramBehind): FoundProgram => ({
  kind: 'delivery.behind',
  subject: `program ${behind.delivery.program.uid}`,
  clientUid: behind.client.uid,
  data: {
    programUid: behind.delivery.program.uid,
    program: behind.delivery.program.name,
    pace: behind.delivery.pace,
    lines: linesBehind(behind).map(({ line, delivered, expected, pace, forecast, through }) => ({
      lineUid: line.uid,
      market: line.market.name,
      unit: line.unit,
      amount: line.amount,
      startsOn: line.startsOn,
      endsOn: line.endsOn,
      delivered,
      expected,
      pace,
      forecast,
      through,
    })),
  },
})

const tenths = (value: number) => Math.round(value * 10) / 10

/** Running programs without booked lines of whose shift hours planned until now less than 90% were driven. */
async function unbookedProgramsBehind(db: Db, now: number): Promise<FoundProgram[]> {
  const known = await raisedSubjects(db, 'delivery.behind')
  const { rows } = await sql<{
    programUid: string
    clientUid: string
    program: string
    plannedHours: number
    drivenHours: number
  }>`
    select p.uid as "programUid", p.client_uid as "clientUid", p.name as program,
           (sum(extract(epoch from s.ends_at - s.starts_at)) / 3600)::float8 as "plannedHours",
           (sum(case when s.status = 'completed' then
              extract(epoch from least(s.stopped_at - s.started_at, s.ends_at - s.starts_at)) else 0 end) / 3600)::float8
             as "drivenHours"
      from client_program p join shift s on s.program_uid = p.uid
     where p.status = 'active' and p.deleted_at is null and s.deleted_at is null and s.status <> 'cancelled'
       and not exists (select from booked_line b where b.program_uid = p.uid)
       and s.ends_at <= ${new Date(now)}::timestamptz
     group by p.uid`.execute(db)
  return rows
    .filter(({ programUid, plannedHours, drivenHours }) =>
      isBehind({ planned: plannedHours, driven: drivenHours }, known.has(`program ${programUid}`)),
    )
    .map(({ clientUid, ...data }) => ({
      kind: 'delivery.behind',
      subject: `program ${data.programUid}`,
      clientUid,
      data: { ...data, plannedHours: tenths(data.plannedHours), drivenHours: tenths(data.drivenHours) },
    }))
}

/** A line that is behind; its uid is the subject. */
interface FoundLine extends Found {
  kind: 'line.behind'
  through: LineDelivery['through']
}

const linesAsTable = (found: readonly FoundLine[]) =>
  rowsAsTable('l', found, {
    line_uid: ['uuid', ({ subject }) => subject],
    through: ['date', ({ through }) => through],
  })

/** Raises an issue for each line that is behind, once a day; one is open for each line (`campaign_issue_open`). */
const issueCondition: Condition<FoundLine> = {
  async openSubjects(db) {
    const open = await db.selectFrom('campaign_issue').select('line_uid').where('resolved_at', 'is', null).execute()
    return open.map(({ line_uid }) => line_uid)
  },
  // A line that was deleted meanwhile has no issue.
  raise: (db, found) =>
    sql`
      insert into campaign_issue (line_uid, through)
      select l.line_uid, l.through from ${linesAsTable(found)} join booked_line b on b.uid = l.line_uid
      on conflict do nothing`.execute(db),
  keep: (db, found) =>
    sql`
      update campaign_issue i set through = l.through, looked_at = null from ${linesAsTable(found)}
       where i.line_uid = l.line_uid and i.resolved_at is null and i.through < l.through`.execute(db),
  resolve: (db, lines) =>
    db
      .updateTable('campaign_issue')
      .set({ resolved_at: sql`now()` })
      .where('resolved_at', 'is', null)
      .where('line_uid', '=', anyOf(lines))
      .execute(),
}

/** Looks at the pace of all running programs once, for the issues of their lines and for the event about each program. */
export const deliveryWatch = defineWatch<FoundProgram | FoundLine>({
  name: 'delivery',
  every: '5m',
  conditions: { 'delivery.behind': eventCondition(), 'line.behind': issueCondition },
  async find({ db, now }) {
    const behind = await programsBehind(db, 'all', now)
    const lines = behind.flatMap(linesBehind)
    return [
      ...behind.map(toFoundProgram),
      ...(await unbookedProgramsBehind(db, now)),
      ...lines.map(({ line, through }) => ({ kind: 'line.behind' as const, subject: line.uid, through })),
    ]
  },
})
