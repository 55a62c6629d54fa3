import { clientKeyModules, type Endpoint, endpoints, errorBody, modules, type Role } from '@roadshow/contract'
import type { InjectOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { openSession } from '../../src/accounts/sign-in/index.ts'
import { endpointName, neededQueries, sampleBodies } from '../samples.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { openOwners, secretWords } from './test-owners.ts'
import { requestsOf, type Way } from './test-requests.ts'
import { rounds, seconds, seed, timeoutOf } from './test-settings.ts'
import { diceOf, valuesOf } from './test-values.ts'

const world = await openWorld()
const { app, db } = world

/** What went wrong inside, for anyone who has to mend it. */
const inside = new WeakMap<object, unknown>()
app.addHook('onError', async (request, _reply, error) => void inside.set(request.raw, error))
let lastError: unknown
app.addHook('onResponse', async (request) => void (lastError = inside.get(request.raw)))

const samples = await sampleBodies(world)
const needed = await neededQueries(world)
const owners = await openOwners(world)

const MAX_WAIT_MS = 15_000
const MAX_PROBLEMS = 20

/** Programs with keys: what they must not see is what a user of the role must not see. */
const keys = {
  'a key of the client': { role: 'client', access: 'read', modules: clientKeyModules },
  'a key that reads': { role: 'admin', access: 'read', modules },
  'a key that writes': { role: 'admin', access: 'write', modules },
} as const
type KeyName = keyof typeof keys

/** An admin who must still set up a second factor, and sees nothing until then. */
const LIMITED = 'a limited admin'
async function addLimited(): Promise<{ uid: string; token: string }> {
  const { uid, token } = await world.addUser('admin')
  await db.updateTable('session').set({ is_limited: true }).where('user_uid', '=', uid).execute()
  return { uid, token }
}

/** Who is tried last may publish and hand over; until then nothing of the others' is anybody else's. */
const actors: [actor: Role | 'nobody' | typeof LIMITED | KeyName, share: number][] = [
  ['nobody', 0.05],
  [LIMITED, 0.05],
  ['client', 0.2],
  ['a key of the client', 0.1],
  ['driver', 0.2],
  ['a key that reads', 0.05],
  ['sales', 0.15],
  ['a key that writes', 0.1],
  ['admin', 0.1],
]

const isKey = (actor: string): actor is KeyName => actor in keys

/** A key of the first admin, who is never tried before every key has been. */
async function createKey(actor: KeyName): Promise<{ uid: string; token: string }> {
  const { role, access, modules: held } = keys[actor]
  const clientUid = role === 'client' ? owners.clientUid : null
  return world.addKey({ access, modules: [...held], clientUid })
}

async function within<T>(work: Promise<T>): Promise<T | 'hung'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'hung'>((resolve) => (timer = setTimeout(() => resolve('hung'), MAX_WAIT_MS)))
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const shortOf = ({ method, url, payload }: InjectOptions & { url: string }) =>
  `${method} ${url.slice(0, 300)} ${typeof payload === 'string' ? payload.slice(0, 600) : payload ? '(form)' : ''}`

describe(`every call, whatever it is sent (FUZZ_SEED=${seed})`, () => {
  test.each(actors)(
    'answers %s as it should: no error of ours, nothing of someone else’s, and in time',
    async (actor, share) => {
      const dice = diceOf(seed * 1000 + actors.findIndex(([name]) => name === actor))
      let pools = await owners.pools()
      const values = valuesOf(dice, () => pools)
      const request = requestsOf({ dice, values, samples, needed })
      const role = isKey(actor) ? keys[actor].role : actor === LIMITED ? 'nobody' : actor
      const forbidden = role === 'nobody' ? [] : await owners.othersUids(role)
      const problems: string[] = []
      const statuses: Record<number, number> = {}
      let person: { uid: string; token: string } | undefined
      if (isKey(actor)) person = await createKey(actor)
      else if (actor === LIMITED) person = await addLimited()
      else if (actor !== 'nobody') person = owners.people[actor]
      let count = 0

      async function signInAnew(): Promise<void> {
        if (actor === 'nobody' || !person) return
        if (isKey(actor)) return void (person = await createKey(actor))
        if (actor === LIMITED) return void (person = await addLimited())
        const { uid } = person
        const there = await db
          .selectFrom('user_account')
          .select('role')
          .where('uid', '=', uid)
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        const isSame = there?.role === actor
        person = isSame
          ? { uid, token: await openSession(db, uid, { address: '', userAgent: '' }) }
          : await world.addUser(actor)
      }

      async function tryOut(endpoint: Endpoint, way: Way): Promise<void> {
        const sent = request(endpoint, way)
        const authorization = person ? `Bearer ${person.token}` : ''
        const remoteAddress = `10.${count % 200}.${dice.below(250)}.${dice.below(250)}`
        const response = await within(
          app.inject({ ...sent, remoteAddress, headers: { ...sent.headers, ...(authorization && { authorization }) } }),
        )
        count++
        if (response === 'hung') return void problems.push(`hangs: ${shortOf(sent)}`)
        const { statusCode, body } = response
        statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
        const told = (what: string) => problems.push(`${what}: ${shortOf(sent)}\n  ${statusCode} ${body.slice(0, 300)}`)
        if (statusCode >= 500)
          told(`fails (${lastError instanceof Error ? (lastError.stack ?? '').slice(0, 700) : ''})`)
        else if (statusCode >= 400 && statusCode !== 416 && !isError(body)) told('is no error of the contract')
        const asked = `${sent.url} ${typeof sent.payload === 'string' ? sent.payload : ''}`
        const words = secretWords[role].filter((word) => body.includes(word))
        const foreign = forbidden.filter((uid) => body.includes(uid) && !asked.includes(uid))
        if (words.length + foreign.length > 0) told(`tells of someone else (${[...words, ...foreign].join(', ')})`)
        if (statusCode === 401 && person) await signInAnew()
      }

      const ways: Way[] = ['valid', 'nearly', 'hostile']
      let round = 0
      for (const endpoint of rounds(endpoints, 1, share)) {
        // What does no harm is tried in every way at once.
        const some = endpoint.method === 'GET' || seconds > 0 ? ways : [dice.pick(ways)]
        for (const way of some) await tryOut(endpoint, way)
        if (problems.length >= MAX_PROBLEMS) break
        if (++round % endpoints.length === 0) pools = await owners.pools()
      }
      expect(problems.join('\n\n')).toBe('')
      // Otherwise nothing was tried.
      expect(role === 'nobody' || (statuses[200] ?? 0) > 20, JSON.stringify(statuses)).toBe(true)
      expect(count).toBeGreaterThan(endpoints.length)
    },
    timeoutOf(0.25),
  )

  test('and afterwards everything works as before', async () => {
    const { token } = await world.addUser('admin')
    for (const path of ['trucks/run', 'clients/run', 'program-schedule/run', 'user/info/run', 'audit-log/run']) {
      const endpoint = endpoints.find((each) => endpointName(each) === `GET ${path}`) as Endpoint
      const answer = await world.call(endpoint, { query: { pageSize: '200', ...needed(endpoint) } } as never, { token })
      expect(answer.status, `${path}: ${answer.text}`).toBe(200)
    }
    expect(({} as Record<string, unknown>)['role']).toBeUndefined()
  })
})

function isError(body: string): boolean {
  try {
    return errorBody.safeParse(JSON.parse(body)).success
  } catch {
    return false
  }
}
