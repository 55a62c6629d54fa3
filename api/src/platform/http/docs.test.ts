import { endpoints, type Endpoint } from '@roadshow/contract'
import { describe, expect, test } from 'vitest'
import { DOCS_SCRIPT, docsPage, docsScript } from './docs.ts'
import { openapi } from './openapi.ts'

const page = docsPage(endpoints, 'Roadshow')
const { components, paths } = openapi(endpoints, 'Roadshow') as {
  components: { securitySchemes: Record<string, { type: string; scheme: string }> }
  paths: Record<string, Record<string, { security: object[]; description: string }>>
}
const operationOf = ({ path, method }: Endpoint) => paths[`/${path}`]?.[method.toLowerCase()]
const named = (name: string) => endpoints.find(({ method, path }) => `${method} ${path}` === name) as Endpoint

describe('the OpenAPI document', () => {
  test('knows two ways to call: as a signed-in user and by API key', () => {
    expect(components.securitySchemes).toMatchObject({
      session: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'http', scheme: 'bearer' },
    })
  })

  test.each([
    ['GET trucks/run', [{ session: [] }, { apiKey: [] }]],
    ['POST trucks/', [{ session: [] }, { apiKey: [] }]],
    ['GET user/info/run', [{ session: [] }, { apiKey: [] }]],
    ['POST user/', [{ session: [] }]],
    ['POST api-keys/', [{ session: [] }]],
    ['GET user/user-with-permissions', [{ session: [] }]],
    ['POST pixel/', [{ session: [] }]],
    ['POST client-pop/program-pop', [{ session: [] }]],
    ['POST authentication/authenticate', []],
  ])('says which of them %s takes', (name, security) => {
    expect(operationOf(named(name))?.security).toEqual(security)
  })
})

describe('the docs page', () => {
  test('offers to try every call that a key or anyone may make, and no other', () => {
    const offered = [...page.matchAll(/data-call="([^"]+)"/g)].map(([, call]) => call ?? '')
    const takesOne = endpoints.filter((endpoint) => {
      const { security = [] } = operationOf(endpoint) ?? {}
      return security.length !== 1
    })
    expect(offered.toSorted()).toEqual(takesOne.map(({ method, path }) => `${method} ${path}`).toSorted())
  })

  test('runs one script of our own, and has none in it', () => {
    expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual([
      `<script type="module" src="${DOCS_SCRIPT}">`,
    ])
    expect(page).not.toMatch(/\son\w+=|javascript:/i)
  })

  test('its script keeps the key nowhere and writes no HTML', () => {
    expect(docsScript).not.toMatch(
      /localStorage|sessionStorage|indexedDB|cookie|innerHTML|outerHTML|insertAdjacent|eval\(/,
    )
  })
})
