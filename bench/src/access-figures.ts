import { keyReader } from '@roadshow/api/accounts/api-keys/index'
import { sessionReader } from '@roadshow/api/accounts/sign-in/index'
import { connect } from '@roadshow/api/platform/db/connection'
import { API_BASE, contract, modules } from '@roadshow/contract'
import { compareRates, median } from './load.ts'
import { type BenchFigure, percent, perSecond, shareFigure } from './report.ts'
import { apiTarget, type BenchWorld } from './world.ts'

/** What the check of a caller may cost of a list call. */
const MAX_SHARE = 0.1
const CALLERS = 20
const ROUND_MS = 2000
const ROUNDS = 5

/**
 * What it costs to know who calls. The checks are those of the server, by as many callers at once as the list call has,
 * on the same database; a list call includes one of them.
 */
export async function* measureAccess(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const list = apiTarget(world, contract.trucks.list.path)
  const key = await createKey(world)
  const rates = await compareRates({ session: list, key: { ...list, headers: { authorization: `Bearer ${key}` } } })
  yield shareFigure('List by an API key, beside a session', rates.key, rates.session, 1 - MAX_SHARE)

  const { db, close } = connect(world.database)
  try {
    const readSession = sessionReader(db).read
    const readKey = keyReader(db)
    const limited = await limitedToken(world)
    const checks = {
      session: () => readSession(world.token),
      'API key': () => readKey(key, '127.0.0.1'),
      'session without its second factor': () => readSession(limited),
    }
    for (const [name, check] of Object.entries(checks)) {
      yield checkFigure(name, await ratesOf(check), rates.session)
    }
  } finally {
    await close()
  }
}

/** How many checks a second are answered, in rounds. */
async function ratesOf(check: () => Promise<unknown>): Promise<number[]> {
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const until = performance.now() + ROUND_MS
    let count = 0
    const caller = async () => {
      while (performance.now() < until) {
        if ((await check()) === undefined) throw new Error('The caller is not known.')
        count++
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, caller))
    rates.push((count / ROUND_MS) * 1000)
  }
  return rates
}

function checkFigure(name: string, checks: number[], lists: number[]): BenchFigure {
  const share = median(lists) / median(checks)
  return {
    name: `Check of a ${name}, as a share of a list call`,
    ours: perSecond(median(checks)),
    beside: perSecond(median(lists)),
    ratio: percent(share),
    bar: `< ${percent(MAX_SHARE)}`,
    met: share < MAX_SHARE,
  }
}

async function createKey({ ours, token }: BenchWorld): Promise<string> {
  const answer = await fetch(`${ours}${API_BASE}/${contract.apiKeys.create.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', modules, access: 'read', expiresInDays: 1 }),
  })
  return contract.apiKeys.create.reply.parse(await answer.json()).data.key
}

/** A session that must still set up a second factor, of the same user. */
async function limitedToken({ sql, userUid }: BenchWorld): Promise<string> {
  const token = 'x'.repeat(43)
  await sql(
    `insert into session (token_hash, user_uid, client_type, expires_at)
     values (sha256(convert_to($1, 'UTF8')), $2, 'web', now() + interval '1 hour')`,
    [token, userUid],
  )
  await sql(`update session set is_limited = true where token_hash = sha256(convert_to($1, 'UTF8'))`, [token])
  return token
}
