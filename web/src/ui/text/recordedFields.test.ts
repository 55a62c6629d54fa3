import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordedLabels, recordedWords } from './recordedFields.ts'

const schema = readFileSync(path.resolve(import.meta.dirname, '../../../../api/schema.sql'), 'utf8')

/** `home_base_uid` becomes `homeBase`, as the API names it. */
const toFieldName = (column: string) =>
  column.replace(/_uid$/, '').replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

interface Recorded {
  table: string
  field: string
  /** The keys that the column may hold. */
  keys: string[]
}

const quoted = (text: string) => [...text.matchAll(/'([^']*)'/g)].map(([, name = '']) => name)

/** The columns of a table with the keys that its constraints allow. */
function columnsOf(table: string): Map<string, string[]> {
  const [, body = ''] = new RegExp(`^create table ${table} \\(\\n(.*?)^\\)`, 'ms').exec(schema) ?? []
  const lines = body.split('\n').map((line) => line.trim())
  const columns = new Map<string, string[]>()
  for (const line of lines) {
    const name = /^"?([a-z]\w*)"? /.exec(line)?.[1]
    if (name && name !== 'constraint') columns.set(name, [])
    const [, checked, keys] = /CHECK \(+(\w+) = ANY \(ARRAY\[(.*?)\]/.exec(line) ?? []
    if (checked && keys && columns.has(checked)) columns.set(checked, quoted(keys))
  }
  return columns
}

const NEVER = ['uid', 'version', 'created_at', 'updated_at', 'deleted_at', 'changed_by', 'changed_from', 'search_text']

/** What the triggers of the database write into histories: fields of records, and of their parts. */
function recordedFields(): Recorded[] {
  const found: Recorded[] = []
  const add = (table: string, hidden: readonly string[]) => {
    for (const [column, keys] of columnsOf(table)) {
      if (!hidden.includes(column)) found.push({ table, field: toFieldName(column), keys })
    }
  }
  for (const [, table = '', args = ''] of schema.matchAll(/TRIGGER keep_history .* ON (\w+) .*keep_history\((.*)\)/g)) {
    add(table, [...NEVER, ...quoted(args)])
  }
  for (const [, table = '', args = ''] of schema.matchAll(/TRIGGER .* ON (\w+) .*keep_child_history\((.*)\)/g)) {
    const [, parentColumn = '', field = ''] = quoted(args)
    found.push({ table, field: toFieldName(field), keys: [] })
    add(table, ['uid', 'search_text', 'position', parentColumn])
  }
  return found
}

describe('every field of every history', () => {
  const fields = recordedFields()

  test('is found in the schema', () => {
    expect(new Set(fields.map(({ table }) => table)).size).toBeGreaterThan(15)
    expect(fields).toContainEqual({ table: 'pop', field: 'endsOn', keys: [] })
    expect(fields).toContainEqual({ table: 'truck', field: 'state', keys: ['active', 'inShop', 'retired'] })
  })

  test('has a label', () => {
    expect(
      fields.filter(({ field }) => !(field in recordedLabels)).map(({ table, field }) => `${table}.${field}`),
    ).toEqual([])
  })

  test('has words for its keys', () => {
    const missing = fields.flatMap(({ table, field, keys }) => {
      const words = recordedWords[field] ?? {}
      return keys
        .filter((key) => typeof words !== 'function' && words[key] === undefined)
        .map((key) => `${table}.${field}: ${key}`)
    })
    expect(missing).toEqual([])
  })
})
