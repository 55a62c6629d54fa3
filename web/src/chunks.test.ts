import { expect, test } from 'vitest'
import { filesToJoin, usersOf } from '../vite-chunks.ts'
import type { ScriptFile } from '../vite-chunks.ts'

const SMALL = 500
const LARGE = 90_000

const file = (imports: string[] = [], more: Partial<ScriptFile> = {}): ScriptFile => ({
  name: 'file',
  size: SMALL,
  imports,
  dynamicImports: [],
  ...more,
})
const page = (imports: string[], dynamicImports: string[] = []) => file(imports, { dynamicImports, isPage: true })
const part = (imports: string[], dynamicImports: string[] = []) => file(imports, { dynamicImports, isPart: true })

const joined = (files: Record<string, ScriptFile>) =>
  filesToJoin(files)
    .filter((each) => each.length > 1)
    .map((each) => each.toSorted())

test('small files of the same screens become one', () => {
  const files = {
    page: page([], ['list', 'form']),
    list: part(['a', 'b']),
    form: part(['a', 'b']),
    a: file(),
    b: file(),
  }
  expect(joined(files)).toEqual([['a', 'b']])
})

test('a large file that a screen does without stays alone', () => {
  const files = {
    page: page([], ['list', 'form']),
    list: part(['a', 'b']),
    form: part(['a']),
    a: file(),
    b: file([], { size: LARGE }),
  }
  expect(joined(files)).toEqual([])
})

test('a small file that needs a large one stays away from screens that do without', () => {
  const files = {
    page: page([], ['list', 'form']),
    list: part(['a', 'b']),
    form: part(['a']),
    a: file(),
    b: file(['large']),
    large: file([], { size: LARGE }),
  }
  expect(joined(files)).not.toContainEqual(['a', 'b'])
})

test('no page loads what only another page needs', () => {
  const files = { 'sign-in': page(['a']), console: page(['a', 'b', 'c']), a: file(), b: file(), c: file() }
  expect(joined(files)).toEqual([['b', 'c']])
})

test('what all that ask for a part have loaded is not loaded again', () => {
  const files = {
    page: page(['a'], ['list', 'chart']),
    list: part(['b'], ['drawer']),
    chart: part([], ['drawer']),
    drawer: part(['a', 'b']),
    a: file(),
    b: file(),
  }
  const users = usersOf(files)
  expect(users.get('a')?.loading).toEqual(new Set(['page']))
  expect(users.get('b')?.loading).toEqual(new Set(['list', 'drawer']))
})

test('files are not joined in a circle, nor those that are pages, parts or made by hand', () => {
  const files = {
    page: page(['a', 'fixed'], ['list']),
    list: part(['d']),
    a: file(['fixed']),
    fixed: file(['b'], { isFixed: true }),
    b: file(),
    d: file(),
  }
  expect(joined(files)).toEqual([])
})
