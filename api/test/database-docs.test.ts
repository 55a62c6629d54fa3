import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { apiModules } from '../src/app.ts'

// docs/database explains the schema, a page for each neighborhood. What enters or leaves the schema enters or leaves its page.

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'docs/database')

interface Page {
  neighborhood: string
  text: string
  /** Its entries with the headings above them: `Tables/trucks`. */
  entries: { section: string; text: string }[]
}

function readPage(name: string, text: string): Page {
  const headings: string[] = []
  const entries = text
    .replaceAll(/\n {2}(?=\S)/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, level, heading = ''] = /^(##|###) (.+)$/.exec(line) ?? []
      if (level) headings.splice(level.length - 2, 2, heading)
      return line.startsWith('- `') ? [{ section: headings.join('/'), text: line.slice(2) }] : []
    })
  return { neighborhood: name.replace('.md', ''), text, entries }
}

const pages = await Promise.all(
  (await readdir(folder)).map(async (name) => readPage(name, await readFile(path.join(folder, name), 'utf8'))),
)
const schema = await readFile(path.join(root, 'api/schema.sql'), 'utf8')

const foundIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
const nameOf = (entry: string) => /^`(\w+)`/.exec(entry)?.[1] ?? entry
const entriesIn = (part: string) =>
  pages.flatMap(({ neighborhood, entries }) =>
    entries.filter(({ section }) => section.startsWith(part)).map((entry) => ({ neighborhood, ...entry })),
  )

/** What `keep_records` gives every table of records. */
const RECORD_TRIGGERS = ['keep_history', 'next_version', 'note_inserted', 'note_removed', 'note_updated']

/** The triggers of each table, as pages write them: the name, and its function where it is called otherwise. */
const triggersOf = new Map<string, string[]>()
for (const [, name = '', table = '', run = ''] of schema.matchAll(
  /^CREATE TRIGGER (\w+) .*? ON (\w+) .*EXECUTE FUNCTION (\w+)\(/gm,
)) {
  triggersOf.set(table, [...(triggersOf.get(table) ?? []), name === run ? name : `${name} → ${run}`])
}
const isRecord = (table: string) => RECORD_TRIGGERS.every((name) => triggersOf.get(table)?.includes(name))

test('each table is on one page, below the module that owns it', () => {
  const owned = apiModules.flatMap(({ name, tables = {} }) =>
    Object.keys(tables)
      .filter((table) => !table.includes('.'))
      .map((table) => `${name === 'platform' ? 'platform/kernel' : name}: ${table}`),
  )
  const described = entriesIn('Tables/').map(
    ({ neighborhood, section, text }) => `${neighborhood}/${section.replace('Tables/', '')}: ${nameOf(text)}`,
  )
  expect(described.toSorted()).toEqual(owned.toSorted())
})

test('each view and each function is on one page', () => {
  const views = foundIn(schema, /^create view (\w+)/gm)
  const functions = foundIn(schema, /^CREATE OR REPLACE (?:FUNCTION|PROCEDURE) (\w+)/gm)
  expect(functions.length).toBeGreaterThan(100)
  expect(entriesIn('Views').map(({ text }) => nameOf(text))).toEqual(expect.arrayContaining(views))
  expect(entriesIn('Views')).toHaveLength(views.length)
  expect(
    entriesIn('Functions')
      .map(({ text }) => nameOf(text))
      .toSorted(),
  ).toEqual(functions.toSorted())
})

test('each trigger stands beside its table, and records are marked', () => {
  for (const { text } of entriesIn('Tables/')) {
    const table = nameOf(text)
    const all = triggersOf.get(table) ?? []
    const [, list = ''] = text.split(' Triggers: ')
    expect(text.startsWith(`\`${table}\` (record):`), `${table} is a record`).toBe(isRecord(table))
    expect(
      list
        .replace(/\.$/, '')
        .split(', ')
        .filter(Boolean)
        .map((trigger) => trigger.replaceAll('`', ''))
        .toSorted(),
      `the triggers of ${table}`,
    ).toEqual(all.filter((name) => !(isRecord(table) && RECORD_TRIGGERS.includes(name))).toSorted())
  }
})

test('each name on a page is in the schema, or is a file, job or header', () => {
  const elsewhere = [
    'api/schema.sql',
    'fold-lists',
    'merge-days',
    'store-places',
    'keep-sign-in-room',
    'Idempotency-Key',
    'roadshow.api_key',
  ]
  const words = new Set(schema.match(/\w+/g))
  for (const { neighborhood, text } of pages) {
    const names = foundIn(text, /`([^`]+)`/g)
    expect(
      names.filter((name) => !words.has(name) && !elsewhere.includes(name)),
      neighborhood,
    ).toEqual([])
  }
})
