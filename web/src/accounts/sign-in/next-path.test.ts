import { expect, test } from 'vitest'
import { nextPath } from './next-path.ts'

const next = (path: string) => nextPath(`?next=${encodeURIComponent(path)}`)

test('signing in leads back to the page that asked for it, with its filters', () => {
  expect(next('/trucks?state=active&page=2#row')).toBe('/trucks?state=active&page=2#row')
})

test('without a wish the console chooses', () => {
  expect(nextPath('')).toBe('/')
  expect(next('')).toBe('/')
})

test.each([
  '//elsewhere.com',
  '/\\elsewhere.com',
  '/\t/elsewhere.com',
  '/.//elsewhere.com',
  '/x/..//elsewhere.com',
  'https://elsewhere.com/trucks',
  'javascript:alert(1)',
  'trucks',
  '//',
])('%j leads away from here and is not followed', (path) => expect(next(path)).toBe('/'))

test.each(['/login', '/login?next=/login', '/forgot-password', '/unauthorized'])('%s would be a circle', (path) =>
  expect(next(path)).toBe('/'),
)
