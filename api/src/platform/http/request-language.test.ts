import { expect, test } from 'vitest'
import { preferredLanguage } from './request-language.ts'

test.each([
  ['es-MX,es;q=0.9,en;q=0.8', 'es'],
  ['en-US,en;q=0.9,es;q=0.8', 'en'],
  ['en;q=0.5, es;q=0.9', 'es'],
  ['fr-CA, es-419;q=0.3', 'es'],
  ['es;q=0, en', 'en'],
  ['ES', 'es'],
  ['estonian', undefined],
  ['de,fr;q=0.9', undefined],
  ['*', undefined],
  ['es;q=much', undefined],
  ['', undefined],
  [undefined, undefined],
])('a browser that asks for %s gets %s', (header, language) => expect(preferredLanguage(header)).toBe(language))
