import { API_BASE, CLIENT_TYPE, contract, DAY_MS } from '@roadshow/contract'
import { median, p99 } from '../load.ts'
import type { RunSql } from '../sql.ts'
import { ADMIN } from './fill.ts'
import { DAYS, DAYS_OF_PROGRAM } from './plan.ts'

const { adLog, fleet, pops, shifts } = contract
const dayBack = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)

const ROUNDS = 60
const AT_ONCE = 4

/** The sizes of the tables that grow, with their indexes and partitions, largest first. */
const SIZES = `
  select coalesce(p.inhparent, c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid))::bigint as bytes,
         sum(c.reltuples) filter (where c.relkind = 'r')::bigint as rows
    from pg_class c left join pg_inherits p on p.inhrelid = c.oid
   where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
   group by 1 having sum(pg_total_relation_size(c.oid)) > 1e7 order by 2 desc`

interface Measured {
  name: string
  p50: number
  p99: number
}

async function signIn(node: string): Promise<string> {
  const answer = await fetch(`${node}${API_BASE}/${contract.auth.authenticate.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ADMIN, clientType: CLIENT_TYPE }),
  })
  return contract.auth.authenticate.reply.parse(await answer.json()).data.token
}

/** How long calls take, four at a time, each with other arguments, so that nothing answers from a memory of the last. */
async function time(name: string, call: (round: number) => Promise<Response>): Promise<Measured> {
  const took: number[] = []
  const work = async (start: number) => {
    for (let round = start; round < ROUNDS; round += AT_ONCE) {
      const began = performance.now()
      const answer = await call(round)
      const body = await answer.text()
      took.push(performance.now() - began)
      // An answer without rows would be quick and say nothing.
      if (!answer.ok || (name.startsWith('Ad log') && /"(total|plays)":0\b/.test(body)))
        throw new Error(`${name}: ${answer.status} ${answer.url}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => work(n)))
  return { name, p50: median(took), p99: p99(took) }
}

/** The sizes of the database, and the calls that read years. */
export async function measureYears(sql: RunSql, node: string): Promise<void> {
  for (const { name, bytes, rows } of await sql<{ name: string; bytes: string; rows: string }>(SIZES)) {
    console.log(`${name}: ${(Number(bytes) / 1e9).toFixed(2)} GB, ${Number(rows).toLocaleString('en-US')} rows`)
  }
  const headers = { authorization: `Bearer ${await signIn(node)}` }
  const programs = (await sql<{ uid: string }>(`select uid from client_program order by starts_on desc, uid`)).map(
    ({ uid }) => uid,
  )
  const shiftUids = (await sql<{ uid: string }>(`select uid from shift order by starts_at desc limit ${ROUNDS}`)).map(
    ({ uid }) => uid,
  )
  const get = (path: string, query: Record<string, string>) =>
    fetch(`${node}${API_BASE}/${path}?${new URLSearchParams(query)}`, { headers })
  const of = (list: readonly string[], round: number) => list[round % list.length] ?? ''
  const week = (round: number, back: number) => ({
    from: dayBack(back + 6 + (round % 20)),
    to: dayBack(back + (round % 20)),
  })
  // Programs eight to fifteen ran then, and their plays are archived.
  const ago = DAYS_OF_PROGRAM + 30
  const calls: [name: string, call: (round: number) => Promise<Response>][] = [
    ['Overview, figures', () => get(fleet.figures.path, {})],
    ['Overview, shifts of the day', () => get(fleet.shifts.path, {})],
    ['Details of a week of shifts', (n) => get(shifts.details.path, week(n, 1))],
    ['One shift', (n) => get(`program-schedule/${of(shiftUids, n)}`, {})],
    ['POP list', () => get(pops.list.path, {})],
    [
      'Ad log of a week, hot, first page',
      (n) => get(adLog.list.path, { program: of(programs.slice(0, 8), n), ...week(n, 1) }),
    ],
    [
      'Ad log of a week, archived, first page',
      (n) => get(adLog.list.path, { program: of(programs.slice(8, 16), n), ...week(n, ago) }),
    ],
    [
      'Ad log, summary of a week',
      (n) => get(adLog.summary.path, { program: of(programs.slice(0, 8), n), ...week(n, 1) }),
    ],
    [
      'Ad log, summary of a program of two years ago',
      (n) =>
        get(adLog.summary.path, {
          program: of(programs.slice(-8), n),
          from: dayBack(DAYS),
          to: dayBack(DAYS - 89),
        }),
    ],
  ]
  for (const [name, call] of calls) {
    const { p50, p99: slowest } = await time(name, call)
    console.log(`${name}: p50 ${Math.round(p50)} ms, p99 ${Math.round(slowest)} ms`)
  }
}
