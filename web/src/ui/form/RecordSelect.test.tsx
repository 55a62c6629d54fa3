import { listQuery, page, uid } from '@roadshow/contract/platform/common'
import { endpoint } from '@roadshow/contract/platform/endpoint'
import * as z from '@roadshow/contract/platform/zod'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '../../api/queryClient.ts'
import { fakeApi, paged } from '../../test-console.tsx'
import { RecordSelect } from './RecordSelect.tsx'
import type { Lookup } from './RecordSelect.tsx'

afterEach(cleanup)

const list = endpoint({
  method: 'GET',
  path: 'towns/run',
  follows: [],
  access: { module: 'trucks', needs: 'view' },
  summary: 'Towns.',
  query: listQuery(['name'], {}),
  reply: page(z.strictObject({ uid, name: z.string() })),
})
const lookup: Lookup<{ uid: string; name: string }> = { list, sort: 'name', nameOf: ({ name }) => name }
const townOf = (name: string, at: number) => ({ uid: `01890000-0000-7000-8000-00000000000${at}`, name })
const towns = ['Austin', 'Boston', 'Dallas'].map(townOf)
// Found by more than its name.
const farTown = townOf('Fort Worth', 9)

const offered = () => [...document.querySelectorAll('.ant-select-item-option')].map(({ textContent }) => textContent)

test('what is typed narrows the list at once, and the answer of the server completes it', async () => {
  const user = userEvent.setup()
  const api = fakeApi()
  const answers: (() => void)[] = []
  api.respond(list, async ({ query }) => {
    if (!query.get('search')) return Response.json(paged(towns))
    await new Promise<void>((resolve) => answers.push(resolve))
    return Response.json(paged([...towns.slice(2), farTown]))
  })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RecordSelect aria-label="Town" lookup={lookup} />
    </QueryClientProvider>,
  )
  await user.click(screen.getByRole('combobox', { name: 'Town' }))
  await waitFor(() => expect(offered()).toEqual(['Austin', 'Boston', 'Dallas']))
  await user.keyboard('dal')
  await waitFor(() => expect(offered()).toEqual(['Dallas']))
  await user.keyboard('x')
  expect(await screen.findByText('Loading…')).toBeInTheDocument()
  await user.keyboard('{Backspace}')
  for (const answer of answers) answer()
  await waitFor(() => expect(offered()).toEqual(['Dallas', 'Fort Worth']))
})
