import { readFile } from 'node:fs/promises'
import { endpoints } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { readsFromReplica } from '../src/platform/http/serve.ts'
import { endpointName } from './samples.ts'

test('docs/nodes.md lists the calls that a replica may answer', async () => {
  const text = await readFile(new URL('../../docs/nodes.md', import.meta.url), 'utf8')
  const section = text.slice(text.indexOf('## Read replica'), text.indexOf('## What holds across nodes'))
  const listed = [...section.matchAll(/^- `(GET \S+)`/gm)].map(([, name = '']) => name)
  const declared = endpoints.filter((endpoint) => readsFromReplica(endpoint, { query: {} })).map(endpointName)
  expect(listed.toSorted()).toEqual(declared.toSorted())
})

test('no call that changes anything reads from a replica', () => {
  const wrong = endpoints.filter(({ method, fromReplica }) => fromReplica && method !== 'GET')
  expect(wrong.map(endpointName)).toEqual([])
  for (const endpoint of endpoints.filter(({ method }) => method !== 'GET')) {
    expect([endpointName(endpoint), readsFromReplica(endpoint, { query: { format: 'csv' } })]).toEqual([
      endpointName(endpoint),
      false,
    ])
  }
})
