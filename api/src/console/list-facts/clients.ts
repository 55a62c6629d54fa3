import { type ClientFacts, centsInMonth, localDay } from '@roadshow/contract'
import { sql } from 'kysely'
import { sharedNow } from '../../platform/db/clock.ts'
import type { Db } from '../../platform/db/connection.ts'
import { officeZone } from '../../platform/db/office-zone.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { groupBy } from '../../platform/runtime/group-by.ts'
import { IS_RUNNING } from '../../proof/campaigns/index.ts'

interface PricedLine {
  client: string
  startsOn: string
  endsOn: string
  priceCents: number
}

/** Running programs and this month's bookings of a page of clients: those that the reader may see. */
export async function factsOfClients(db: Db, scope: Scope, asked: readonly string[]): Promise<ClientFacts[]> {
  const uids = scope.rows === 'all' ? asked : asked.filter((uid) => uid === scope.actor.clientUid)
  const now = await sharedNow(db)
  // The month of the company, as on the Overview.
  const month = localDay(await officeZone(db), now).slice(0, 7)
  const running = await countRunning(db, uids)
  const lines = groupBy(await pricedLines(db, uids, now), ({ client }) => client)
  return uids.map((uid) => {
    const ofMonth = lines
      .get(uid)
      ?.map((line) => centsInMonth(line, month))
      .filter((cents) => cents !== null)
    return {
      uid,
      running: running.get(uid) ?? 0,
      monthCents: ofMonth?.length ? ofMonth.reduce((sum, cents) => sum + cents, 0) : null,
    }
  })
}

async function countRunning(db: Db, uids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ client: string; running: number }>`
    select t.client_uid as client, count(*)::int as running from client_program t
     where t.client_uid = any(${[...uids]}::uuid[]) and t.deleted_at is null and t.status <> 'draft' and ${IS_RUNNING}
     group by t.client_uid`.execute(db)
  return new Map(rows.map(({ client, running }) => [client, running]))
}

/** Booked lines with prices around this month. Drafts are not booked. */
async function pricedLines(db: Db, uids: readonly string[], now: number): Promise<PricedLine[]> {
  const today = sql`${new Date(now)}::timestamptz::date`
  const { rows } = await sql<PricedLine>`
    select p.client_uid as client, b.starts_on as "startsOn", b.ends_on as "endsOn", b.price_cents as "priceCents"
      from client_program p join booked_line b on b.program_uid = p.uid
     where p.client_uid = any(${[...uids]}::uuid[]) and p.deleted_at is null and p.status <> 'draft'
       and b.price_cents is not null and b.ends_on >= ${today} - 32 and b.starts_on <= ${today} + 32`.execute(db)
  return rows
}
