import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url))
const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/(?:^|\/)test-|\.test\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(SOURCES, file), 'utf8') }))
const holding = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

test('HTML that the server writes is escaped by one function', () => {
  expect(sources.length).toBeGreaterThan(300)
  // The other two write the XML of a workbook and the SVG of a demo picture.
  expect(holding(/&lt;/).toSorted()).toEqual([
    'demo/pictures.ts',
    'platform/http/html.ts',
    'platform/spreadsheet/xlsx.ts',
  ])
  expect(holding(/\bnew Html\(|\bescapeHtml\b/)).toEqual(['platform/http/html.ts'])
})

test('HTML is sent as the documentation, as a page of the web app, to unsubscribe, to ask for a password or to answer a proposal, and nowhere else', () => {
  expect(holding(/text\/html/).toSorted()).toEqual([
    'app.ts',
    'outreach/proposals/page/routes.ts',
    'platform/http/pages.ts',
    'platform/mail/unsubscribe-page.ts',
    'proof/pop/public-page/password.ts',
  ])
})

// The second shows admins what the first has made.
test('the HTML of a mail is made in one place', () => {
  expect(holding(/\bhtml:/).toSorted()).toEqual(['outreach/messages/queries.ts', 'platform/mail/compose.ts'])
})
