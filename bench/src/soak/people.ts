import { setTimeout as sleep } from 'node:timers/promises'
import { hashPassword } from '@roadshow/api/accounts/sign-in/index'
import { openTestSocket, type TestSocket } from '@roadshow/test-kit/client'
import { auth, CLIENT_TYPE, defaultModules, type Role } from '@roadshow/contract'
import { RetryingCaller } from './caller.ts'
import type { Findings } from './findings.ts'
import { SoakReader } from './reads.ts'
import type { SoakWorld } from './world.ts'
import { type SoakPlan, SoakWriter } from './writes.ts'

const PASSWORD = 'clicks for a while'
/** Who is there, over and over: most of them work in the office. */
const ROLES: Role[] = ['admin', 'sales', 'admin', 'client', 'admin', 'sales', 'driver', 'admin', 'client', 'sales']
const WRITES = 0.35
const PAUSE_MS = 1500
/** Each of these has the live map open. */
const EVERY_NTH_LOOKS_LIVE = 5

const emailOf = (index: number) => `soak-${index}@roadshow.example`

interface Member {
  index: number
  role: Role
  userUid: string
}

/** People with accounts of their own, straight into the database: adding them is not what is looked at. */
async function addPeople({ sql }: SoakWorld, count: number): Promise<Member[]> {
  const hash = await hashPassword(PASSWORD)
  const [client] = await sql<{ uid: string }>(`select client_uid as uid from client_program
    where deleted_at is null and status = 'active' order by starts_on limit 1`)
  const members: Member[] = []
  for (let index = 0; index < count; index++) {
    const role = ROLES[index % ROLES.length] ?? 'admin'
    const [row] = await sql<{ uid: string }>(
      `insert into user_account (email, name, role, modules, client_uid, password_hash)
       values ($1, $2, $3, $4, $5, $6) returning uid`,
      [emailOf(index), `Soak ${index}`, role, defaultModules[role], role === 'client' ? client?.uid : null, hash],
    )
    members.push({ index, role, userUid: row?.uid ?? '' })
  }
  return members
}

/** For each who writes: a driver of their own, and the days of a program that are still to come. */
async function planFor({ sql }: SoakWorld, index: number): Promise<SoakPlan> {
  const [driver] = await sql<{ uid: string }>(
    `insert into user_account (email, name, role, modules) values ($1, $2, 'driver', '{}') returning uid`,
    [`soak-driver-${index}@roadshow.example`, `Soak driver ${index}`],
  )
  const [program] = await sql<{ program: string; market: string; days: string[] }>(`
    select p.uid as program, m.market_uid as market,
           (select array_agg(d::date::text order by d)
              from generate_series(greatest(coalesce(m.starts_on, p.starts_on), current_date + 3),
                                   least(coalesce(m.ends_on, p.ends_on), current_date + 300), interval '1 day') d) as days
      from client_program p join program_market m on m.program_uid = p.uid
     where p.deleted_at is null and p.status = 'active' and p.ends_on > current_date + 10
     order by p.ends_on desc limit 1`)
  if (!driver || !program) throw new Error('The demo has no program that goes on.')
  return { driverUid: driver.uid, programUid: program.program, marketUid: program.market, days: program.days ?? [] }
}

/** A page that shows the fleet live; it comes back by itself, as the web app's does. */
function openLive(url: string, token: string, userUid: string, findings: Findings): TestSocket {
  const socket = openTestSocket(url, { clientType: CLIENT_TYPE, userUid, token })
  socket.on(
    'connect',
    () =>
      void socket
        .timeout(20_000)
        .emitWithAck('get-all-geotab-stats')
        .catch(() => {}),
  )
  socket.on('geotab-feed', () => findings.fed++)
  // A refusal, unlike a lost connection, is not tried again by the library.
  socket.on('connect_error', () => void (socket.active || setTimeout(() => socket.connect(), 5000)))
  return socket
}

type Work = (over: AbortSignal) => Promise<void>

/** A user signs in; the given work reads and changes records until the soak is over. */
async function come(world: SoakWorld, member: Member, findings: Findings): Promise<Work> {
  const { index, role, userUid } = member
  // Each user has an own address, so that rate limits count them separately.
  const caller = new RetryingCaller(
    world.proxy.url,
    `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`,
    findings,
  )
  const body = { email: emailOf(index), password: PASSWORD, clientType: CLIENT_TYPE } as const
  const signedIn = await caller.call(auth.authenticate, { body })
  if (signedIn.status !== 200) {
    caller.close()
    findings.fail(`signing in as ${role}: ${signedIn.status} ${signedIn.text}`)
    return async () => {}
  }
  caller.token = signedIn.body.data.token
  const live =
    index % EVERY_NTH_LOOKS_LIVE === 0
      ? openLive(world.proxy.url, signedIn.body.data.token, userUid, findings)
      : undefined
  const reader = new SoakReader(caller, { role, modules: defaultModules[role] }, findings)
  const writer = role === 'admin' ? new SoakWriter(caller, findings, await planFor(world, index)) : undefined
  return async (over) => {
    while (!over.aborted) {
      findings.actions++
      await (writer && Math.random() < WRITES ? writer.write() : reader.read())
      await sleep(PAUSE_MS * (0.5 + Math.random()), undefined, { signal: over }).catch(() => {})
    }
    live?.disconnect()
    caller.close()
  }
}

/** Lets so many people work, once all have come; settles when the last of them has finished what they were about. */
export async function startPeople(
  world: SoakWorld,
  count: number,
  findings: Findings,
  over: AbortSignal,
): Promise<{ finished: Promise<unknown> }> {
  const members = await addPeople(world, count)
  const works = await Promise.all(members.map((member) => come(world, member, findings)))
  return { finished: Promise.all(works.map((work) => work(over))) }
}
