import { API_BASE, endpoints } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { endpointName } from '../src/legacy/test-samples.ts'
import { openWorld } from '@roadshow/test-kit/world'

const world = await openWorld()

describe('the contract and the server agree', () => {
  test('every endpoint is served, once', () => {
    expect(world.app.kernel.served.map(endpointName).toSorted()).toEqual(endpoints.map(endpointName).toSorted())
    expect(new Set(endpoints.map(endpointName)).size).toBe(endpoints.length)
  })

  /** Routes that are no calls of the contract. */
  const ownRoutes = [
    `GET ${API_BASE}/openapi.json`,
    `GET ${API_BASE}/docs`,
    `GET ${API_BASE}/docs.js`,
    'GET /healthz',
    'GET /readyz',
    'GET /metrics',
    'GET /unsubscribe',
    'POST /unsubscribe',
    'GET /unsubscribe-report',
    'POST /unsubscribe-report',
    'POST /programs/:popUrl',
    'POST /pop/:popUrl',
    'POST /o/:token',
    'GET /track',
    'POST /track',
    'GET /track/:key',
    'POST /track/:key',
  ]

  test('every registered route is a call of the contract or one of a few of our own', () => {
    const { routes } = world.app.kernel
    // Fastify adds HEAD to each GET by itself.
    const served = routes.filter(({ method }) => method !== 'HEAD')
    const unknown = served.filter(({ method, url, endpoint }) =>
      endpoint ? !endpoints.includes(endpoint) : !ownRoutes.includes(`${method} ${url}`),
    )
    expect(unknown).toEqual([])
    expect(served).toHaveLength(endpoints.length + ownRoutes.length)
    for (const { method, url, endpoint } of served) {
      expect(method).toBe(endpoint?.method ?? method)
      const path = endpoint && `${API_BASE}/${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`
      expect(url).toBe(path ?? url)
    }
  })

  test('the OpenAPI document names every call', async () => {
    const { paths } = (await world.app.inject(`${API_BASE}/openapi.json`)).json<{ paths: Record<string, object> }>()
    const named = Object.entries(paths).flatMap(([path, of]) =>
      Object.keys(of).map((m) => `${m.toUpperCase()} ${path.slice(1)}`),
    )
    expect(named.toSorted()).toEqual(endpoints.map(endpointName).toSorted())
  })

  test('the readable contract shows every call', async () => {
    const page = await world.app.inject(`${API_BASE}/docs`)
    expect(page.headers['content-type']).toContain('text/html')
    for (const { method, path } of endpoints) expect(page.body).toContain(`${method} ${API_BASE}/${path}`)
  })
})
