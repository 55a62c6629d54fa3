import {
  API_BASE,
  apiKeys,
  auth,
  type Endpoint,
  endpoints,
  type ErrorBody,
  type ModuleKey,
  modules,
  roles,
  rowAccessFor,
  rowAccessForKey,
} from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { endpointName } from '../src/legacy/test-samples.ts'
import { openWorld } from '@roadshow/test-kit/world'
import { newApiKey } from '../src/platform/http/api-key-token.ts'
import { hashToken } from '../src/platform/http/session.ts'
import { callsDuringEnrollment, guarded, type Identity, isLetIn, moduleCalls } from './access-table.ts'

const world = await openWorld()

describe('every call by every identity', () => {
  /** A request that is let in or refused by who sends it: what it asks for is malformed, so nothing is done or read. */
  const knock = ({ method, path, query }: Endpoint, token: string) =>
    world.app.inject({
      method,
      url: `${API_BASE}/${path.replace(/\{\w+\}/g, 'none')}${query ? '?no-such-parameter=1' : ''}`,
      ...((method === 'POST' || method === 'PUT') && { payload: {} }),
      headers: { authorization: `Bearer ${token}` },
    })

  type Caller = Identity & { token: string }

  /** Each role with each module alone, with all of them, and with none. */
  async function usersOf(): Promise<Caller[]> {
    const held: [string, readonly ModuleKey[]][] = [
      ...modules.map((key): [string, ModuleKey[]] => [key, [key]]),
      ['every module', modules],
      ['no module', []],
    ]
    const all = roles.flatMap((role) =>
      held.map(([name, own]) => ({ name: `${role} with ${name}`, role, modules: own })),
    )
    return Promise.all(
      all.map(async (user) => ({ ...user, token: (await world.addUser(user.role, user.modules)).token })),
    )
  }

  /** Keys that read and write, for each module alone and for all of them; and keys for one client. */
  async function keysOf(): Promise<Caller[]> {
    const { uid: clientUid } = await world.addClient()
    const scopes = [...modules.map((key) => [key]), [...modules]]
    const wide = (['read', 'write'] as const).flatMap((key) =>
      scopes.map((own) => ({ name: `key to ${key} ${own.join()}`, role: 'admin' as const, modules: own, key })),
    )
    const ofClients = (['overview', 'clients', 'pop', 'programByClient'] as const).map((key) => [key])
    const narrow = [...ofClients, ofClients.flat()].map((own) => {
      const name = `key of a client to read ${own.join()}`
      return { name, role: 'client' as const, modules: own, key: 'read' as const, clientUid }
    })
    return Promise.all(
      [...wide, ...narrow].map(async (each) => {
        const given = { modules: [...each.modules], access: each.key }
        const { token } = await world.addKey('clientUid' in each ? { ...given, clientUid } : given)
        return { ...each, token }
      }),
    )
  }

  /** Credentials that were good once. */
  async function formerOnes(): Promise<[string, string][]> {
    const [expired, ended] = [newApiKey(), await world.addKey({ access: 'write' })]
    await world.call(apiKeys.end, { params: { uid: ended.uid } })
    await world.db
      .insertInto('api_key')
      .values({
        name: 'Expired',
        token_hash: hashToken(expired),
        token_start: expired.slice(0, 9),
        modules: [...modules],
        access: 'write',
        created_by: world.people.admin.uid,
        created_at: new Date(Date.now() - 60_000),
        expires_at: new Date(Date.now() - 1000),
      })
      .execute()
    const [deleted, demoted] = [await world.addUser('admin'), await world.addUser('admin')]
    const [ofDeleted, ofDemoted] = [await world.addKey({}, deleted.token), await world.addKey({}, demoted.token)]
    await world.db.updateTable('user_account').set({ deleted_at: new Date() }).where('uid', '=', deleted.uid).execute()
    await world.db.updateTable('user_account').set({ role: 'sales' }).where('uid', '=', demoted.uid).execute()
    return [
      ['an expired key', expired],
      ['an ended key', ended.token],
      ['a key whose maker was deleted', ofDeleted.token],
      ['a key whose maker is no admin any more', ofDemoted.token],
      ['a key that never was', newApiKey()],
    ]
  }

  test('the second table names every call that belongs to modules', () => {
    const ofModules = endpoints.filter(({ access }) => typeof access === 'object' && 'module' in access)
    expect(Object.keys(moduleCalls).toSorted(), 'write it down in api/test/access-table.ts').toEqual(
      ofModules.map(endpointName).toSorted(),
    )
  })

  test('is let in as both tables say, and by no one else', async () => {
    const callers = [...(await usersOf()), ...(await keysOf())]
    const problems: string[] = []
    let count = 0
    // A call that signs out ends the sessions, so it comes last.
    const isLast = ({ access, params }: Endpoint) => access === 'signedIn' && !params
    for (const endpoint of guarded.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
      if (endpoint.path === auth.logout.path) continue
      const answers = await Promise.all(callers.map(({ token }) => knock(endpoint, token)))
      for (const [index, caller] of callers.entries()) {
        const { statusCode = 0, body = '' } = answers[index] ?? {}
        count++
        const isAdmitted = statusCode !== 403 && statusCode !== 401
        const byContract = caller.key
          ? rowAccessForKey({ ...caller, canWrite: caller.key === 'write' }, endpoint)
          : rowAccessFor(caller, endpoint.access)
        const told = `${endpointName(endpoint)} by a ${caller.name}: ${statusCode} ${body.slice(0, 100)}`
        if (isAdmitted !== isLetIn(caller, endpoint)) problems.push(`not as the table says: ${told}`)
        if (isAdmitted !== (byContract !== undefined)) problems.push(`not as the contract says: ${told}`)
        if (statusCode >= 500 || statusCode === 401) problems.push(told)
      }
    }
    expect(problems.join('\n')).toBe('')
    expect(count).toBe(callers.length * (guarded.length - 1))
  }, 120_000)

  test('a session that must still set up a second factor opens that and nothing else', async () => {
    const people = await Promise.all(roles.map((role) => world.addUser(role, modules)))
    const uids = people.map(({ uid }) => uid)
    await world.db.updateTable('session').set({ is_limited: true }).where('user_uid', 'in', uids).execute()
    const opened = new Set<string>()
    // Signing out ends the session, so it comes last.
    const isLast = ({ path }: Endpoint) => path === auth.logout.path
    for (const endpoint of guarded.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))) {
      const answers = await Promise.all(people.map(({ token }) => knock(endpoint, token)))
      const refused = answers.filter(({ statusCode }) => statusCode === 403)
      const codes = refused.map((answer) => answer.json<ErrorBody>().code)
      expect(codes, endpointName(endpoint)).toEqual(refused.map(() => 'secondFactorNeeded'))
      expect(
        answers.map(({ statusCode }) => statusCode),
        endpointName(endpoint),
      ).not.toContain(401)
      if (refused.length < answers.length) opened.add(endpointName(endpoint))
    }
    expect([...opened].toSorted()).toEqual(callsDuringEnrollment.toSorted())
  })

  test('no credential that has ended opens anything', async () => {
    const former = await formerOnes()
    for (const endpoint of guarded) {
      const answers = await Promise.all(former.map(([, token]) => knock(endpoint, token)))
      const found = answers.map((answer) => [answer.statusCode, answer.json<ErrorBody>().code])
      expect(found, endpointName(endpoint)).toEqual(former.map(() => [401, 'keyInvalid']))
    }
  })
})
