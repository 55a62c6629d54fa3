import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = import.meta.dirname
const SHARED = 'ui/layout.module.css'
// Today's numbers. Lower them when there are fewer; what Stack, Row, Soft and List say needs no rule.
const MOST_SHEETS = 166
const MOST_LAYOUT_RULES = 341

const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .map((path) => path.split(sep).join('/'))
  .filter((path) => path.endsWith('.module.css'))
const read = (path: string) => readFileSync(join(SOURCES, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')

/** The rules of a stylesheet, those of media queries too: selector and declarations. */
const rulesIn = (css: string) =>
  [...css.matchAll(/([^{};]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
    selector: selector.trim(),
    declarations: body
      .split(';')
      .map((each) => each.trim())
      .filter(Boolean),
  }))

const LAYOUT =
  /^(?:display|flex(?:-\w+)?|(?:row-|column-)?gap|(?:align|justify|place)-(?:items|content|self)|(?:margin|padding)(?:-[\w-]+)?|list-style)\s*:/
const ALSO = ['color: var(--ink-soft)', 'font-size: var(--text-small)', 'width: 100%', 'min-width: 0']
const isLayout = (declaration: string) => LAYOUT.test(declaration) || ALSO.includes(declaration)

test('screens are laid out by Stack, Row, Soft and List, not by more and more stylesheets', () => {
  const rules = sheets.filter((path) => path !== SHARED).flatMap((path) => rulesIn(read(path)))
  expect(rules.length).toBeGreaterThan(1000)
  const layoutRules = rules.filter(({ declarations }) => declarations.length > 0 && declarations.every(isLayout))
  expect(sheets.length).toBeLessThanOrEqual(MOST_SHEETS)
  expect(layoutRules.length).toBeLessThanOrEqual(MOST_LAYOUT_RULES)
})

test('soft text is said once', () => {
  const withSoft = sheets.filter((path) => rulesIn(read(path)).some(({ selector }) => /\.soft\b/.test(selector)))
  expect(withSoft).toEqual([SHARED])
})
