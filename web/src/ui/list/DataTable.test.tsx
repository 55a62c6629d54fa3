import { listQuery, page, uid } from '@roadshow/contract/platform/common'
import { ERROR_ROW_COLOR } from '@roadshow/contract/platform/constants'
import { endpoint } from '@roadshow/contract/platform/endpoint'
import * as z from '@roadshow/contract/platform/zod'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { colorIn } from '../../brand/colors.ts'
import type { Screen } from '../../app/screen.ts'
import { fakeApi, openConsole } from '../../test-console.tsx'
import { sortsOf } from '../rows/columns.ts'
import { DataTable } from './DataTable.tsx'
import { validSearch } from '../useListState.ts'

afterEach(cleanup)

const list = endpoint({
  method: 'GET',
  path: 'things/run',
  follows: [],
  access: { module: 'trucks', needs: 'view' },
  summary: 'Things.',
  query: listQuery(['name', 'size'], { color: z.enum(['red', 'blue']).optional() }),
  reply: page(z.strictObject({ uid, name: z.string(), late: z.boolean() })),
})

const Things = () => (
  <DataTable
    nouns={['thing', 'things']}
    list={list}
    columns={[{ key: 'name', title: 'Name', render: (thing) => thing.name }]}
    create={{ ...list, access: { module: 'users', needs: 'edit' } }}
    form={() => null}
    empty="Nothing yet."
    isError={(thing) => thing.late}
  />
)
const BriefThings = () => (
  <DataTable
    nouns={['thing', 'things']}
    list={list}
    columns={[
      { key: 'name', title: 'Name', render: (thing) => thing.name },
      { key: 'size', title: 'Size', render: () => 'Large' },
      { key: 'late', title: 'Lateness', inBrief: true, render: (thing) => (thing.late ? 'Late' : 'Fine') },
    ]}
    form={() => null}
    empty="Nothing yet."
  />
)
const things: Screen = {
  path: '/trucks',
  title: 'Things',
  purpose: '',
  page: () => Promise.resolve({ default: Things }),
}
const rows = [
  { uid: '01900000-0000-7000-8000-000000000011', name: 'In time', late: false },
  { uid: '01900000-0000-7000-8000-000000000012', name: 'Too late', late: true },
]

const opened = async () => {
  const api = fakeApi()
  api.answer(list, () => ({ data: rows, page: 1, pageSize: 10, total: 2 }))
  openConsole('/trucks', { api, table: [things] })
  return screen.findByRole('link', { name: 'Too late' })
}

test('rows that need a person are red, in the color of the specification', async () => {
  const late = await opened()
  expect(late.closest('tr')?.dataset.bad).toBe('true')
  expect(screen.getByRole('link', { name: 'In time' }).closest('tr')?.dataset.bad).toBe('false')
  expect(colorIn('bad-row', 'light')).toBe(ERROR_ROW_COLOR)
})

const nothing = () => undefined

test('a phone reads the rows as cards', async () => {
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('639px'), addEventListener: nothing, removeEventListener: nothing }) as never,
  )
  const late = await opened()
  expect(late.closest('li')?.dataset.bad).toBe('true')
  expect(screen.queryByRole('table')).toBeNull()
  expect(screen.getByRole('combobox', { name: 'Sort by' })).toBeInTheDocument()
  vi.restoreAllMocks()
})

test('a phone reads the rows of some lists as a line each', async () => {
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    (query) => ({ matches: query.includes('639px'), addEventListener: nothing, removeEventListener: nothing }) as never,
  )
  const api = fakeApi()
  api.answer(list, () => ({ data: rows, page: 1, pageSize: 10, total: 2 }))
  const brief = { ...things, page: () => Promise.resolve({ default: BriefThings }) }
  openConsole('/trucks', { api, table: [brief] })
  const row = (await screen.findByRole('link', { name: 'Too late' })).closest('li')
  expect(row?.dataset.brief).toBe('true')
  expect(row?.textContent).toBe('Too lateLatenessLate')
  vi.restoreAllMocks()
})

test('a list can be sorted by what its contract says', () => {
  expect(sortsOf(list)).toEqual(['name', 'size'])
})

test('of an address, only what the list understands is asked for', () => {
  const given = { page: '2', pageSize: '5000', sort: '-name', color: 'green', open: 'x', format: 'csv', search: 'a b' }
  expect(validSearch(list.query, given)).toEqual({ page: '2', sort: '-name', search: 'a b' })
})
