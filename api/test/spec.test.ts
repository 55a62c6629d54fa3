import { API_BASE } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { openWorld } from '@roadshow/test-kit/world'

/** The calls of the specification (§7), typed from it. */
const calls = {
  GET: `user/info/run; user/user-with-permissions; trucks/run; programs/run; pop/run; daily-schedule/run;
    daily-schedule/details/run; user-schedule/run; old-overview/shifts; overview/shifts; overview/truck-issues;
    overview/pop-photos; old-overview/pop-photos; payroll/run; pixel/; pop/miles-driven; public/miles-driven;
    public/market-miles-driven; programs/smart-directional-report/{programUid}; clients/run; client-programs/run;
    artwork-sets/run; gps-address-sets/run; program-schedule/run; program-schedule/details/run;
    program-user-schedule/run; client-pop/run; client-pop/miles-driven;
    smart-directional-report/client-program-lookup; smart-directional-report/client-program-market-lookup;
    smart-directional-report/run; ad-log-report/client-program-lookup; ad-log-report/client-program-market-lookup;
    ad-log-report/run`,
  POST: `authentication/authenticate; authentication/forgot-password-mail; authentication/password-reset; trucks/;
    programs/; blob-storage/get-upload-sas; blob-storage/delete-blob; daily-schedule/; daily-schedule/upload;
    pop/program-pop; web-log/; pixel/; clients/; client-programs/; artwork-sets/; gps-address-sets/; program-schedule/;
    program-schedule/upload; client-pop/program-pop; user/; pop/; client-pop/`,
  PUT: `trucks/; programs/; daily-schedule/; user/restore-user/{id}; user/force-logout-user/{id};
    issues/resolved-status; pop/; pixel/; pop/pop-market; clients/; client-programs/; artwork-sets/; gps-address-sets/;
    program-schedule/; client-pop/; client-pop/pop-market; user/`,
  DELETE: `programs/{id}; trucks/{id}; user/{id}; clients/{id}; daily-schedule/{id}; client-programs/{id};
    artwork-sets/{id}; gps-address-sets/{id}; program-schedule/{id}`,
}
const multipart = ['POST client-pop/', 'POST pop/', 'POST user/', 'PUT user/']

const specified = Object.entries(calls).flatMap(([method, paths]) =>
  paths.split(';').map((path) => `${method} ${path.trim()}`),
)

interface Operation {
  'x-added'?: boolean
  requestBody?: { content: Record<string, unknown> }
}
const world = await openWorld()
const { app } = world
const { servers, paths } = (await app.inject(`${API_BASE}/openapi.json`)).json<{
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
}>()
/** What the specification calls id is the uid of a record. */
const described = new Map<string, Operation>(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        [`${method.toUpperCase()} ${path.slice(1).replace(/\{uid\}$/, '{id}')}`, operation] as const,
    ),
  ),
)
const isAdded = (name: string) => described.get(name)?.['x-added'] === true

describe('the calls of the specification', () => {
  test('are 82, each of them once', () => {
    expect(specified).toHaveLength(82)
    expect(new Set(specified).size).toBe(82)
  })

  test('are all there, below /api/v1, and none is said to be added', () => {
    expect(servers).toEqual([{ url: '/api/v1' }])
    expect(specified.filter((name) => !described.has(name))).toEqual([])
    expect(specified.filter(isAdded)).toEqual([])
  })

  test('are all that there is, but for what is marked as added', () => {
    const known = new Set(specified)
    expect([...described.keys()].filter((name) => !known.has(name) && !isAdded(name))).toEqual([])
  })

  test('take forms where users and photos are saved', () => {
    const takesForm = (name: string) => described.get(name)?.requestBody?.content['multipart/form-data'] !== undefined
    expect(multipart.filter((name) => !takesForm(name))).toEqual([])
  })

  test('that read answer without optional parameters: today, this week, the program’s own span', async () => {
    const market = await world.addMarket('Tulsa')
    const program = await world.addProgram({ markets: [{ marketUid: market.uid }] })
    // What a call cannot do without: the program that a report is about, and the name of a public page.
    const needed: Record<string, string> = {
      'pop/miles-driven': `programUid=${program.uid}`,
      'client-pop/miles-driven': `programUid=${program.uid}`,
      'smart-directional-report/client-program-market-lookup': `program=${program.uid}`,
      'ad-log-report/client-program-market-lookup': `program=${program.uid}`,
      'smart-directional-report/run': `program=${program.uid}`,
      'ad-log-report/run': `program=${program.uid}`,
      'public/miles-driven': 'popUrl=nothing-published',
      'public/market-miles-driven': 'popUrl=nothing-published',
    }
    const headers = { authorization: `Bearer ${world.people.admin.token}` }
    const reads = specified.filter((name) => name.startsWith('GET ')).map((name) => name.slice(4))
    const answers = await Promise.all(
      reads.map(async (path) => {
        const url = `${API_BASE}/${path.replace('{programUid}', program.uid)}?${needed[path] ?? ''}`
        return [path, (await app.inject({ url, headers })).statusCode] as const
      }),
    )
    const expected = (path: string) => (path.startsWith('public/') ? 404 : 200)
    expect(answers.filter(([path, status]) => status !== expected(path))).toEqual([])
  })
})
