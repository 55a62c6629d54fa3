import { expect, test } from 'vitest'
import { programInput, proposePopUrl } from './programs.ts'

test.each([
  ['Summer Launch', 'summer-launch'],
  ['  Café & Bar, 2026! ', 'cafe-and-bar-2026'],
  ['Große Straße Łódź', 'grosse-strasse-lodz'],
  ['日本', ''],
  ['POP', 'pop-campaign'],
  ['Program by Client', 'program-by-client-campaign'],
  [`${'x'.repeat(79)} y`, 'x'.repeat(79)],
])('the name %j proposes the address %j', (name, url) => {
  expect(proposePopUrl(name)).toBe(url)
})

test('a proposed address is one that is accepted', () => {
  const accepts = (popUrl: string) => programInput.shape.popUrl.safeParse(popUrl).success
  for (const name of ['pop', 'POP', 'Program-By-Client', 'Ünïcödé', 'a'.repeat(200)]) {
    expect(accepts(proposePopUrl(name)), name).toBe(true)
  }
})
