import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { settingTable } from '@roadshow/contract'
import { expect, test } from 'vitest'
import { tableLifetimes, withLifetimeTable } from '../src/table-lifetimes.ts'

const read = (file: string) => readFile(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')

test('every table declares how long its rows are kept', async () => {
  const tables = [...(await read('api/schema.sql')).matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table)
  // Other schemas hold what jobs put aside.
  const declared = Object.keys(tableLifetimes).filter((table) => !table.includes('.'))
  expect(declared.toSorted()).toEqual(tables.toSorted())
})

test('a lifetime that is a setting names one that exists', () => {
  const labels: string[] = Object.values(settingTable).map(({ label }) => `“${label}” in Settings`)
  const named = Object.values(tableLifetimes).filter(({ kept }) => kept.includes('Settings'))
  expect(named.length).toBeGreaterThan(0)
  for (const { kept } of named) expect(labels).toContain(kept)
})

test('the operations guide lists them; npm run db:types writes the list', async () => {
  const guide = await read('docs/operations.md')
  expect(guide).toBe(withLifetimeTable(guide))
})
