import { changes } from '@roadshow/contract/console/changes'
import type { FeedChange } from '@roadshow/contract/console/changes'
import { localZone } from '@roadshow/contract/platform/dates'
import { addDays, localDay } from '@roadshow/contract/planning/shift-time'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, paged, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

const moved: FeedChange = {
  at: '2026-11-18T15:00:00.000Z',
  action: 'changed',
  by: 'Sam Lee',
  byUid: testUid(7),
  address: null,
  fields: [{ field: 'truck', old: 'T-1', new: 'T-2' }],
  kind: 'shift',
  record: { uid: testUid(5), name: 'T-2, Dana Brooks, Nov 19, 2026' },
}

let api: FakeApi
const user = userEvent.setup({ delay: null })
const asked = () => Object.fromEntries(api.sentTo(changes.list).at(-1)?.query ?? [])

beforeEach(() => {
  api = fakeApi()
  api.answer(changes.list, () => paged([moved]))
})
afterEach(cleanup)

test('who changed a shift yesterday: the day, the person and the record are one click each', async () => {
  openConsole('/pixel?changes=shift', { api, user: someUser('sales') })
  expect(await screen.findByText('T-2, Dana Brooks, Nov 19, 2026')).toHaveAttribute(
    'href',
    expect.stringContaining(`/schedule/program-schedule?open=${testUid(5)}`),
  )
  const today = localDay(localZone())
  expect(asked()).toMatchObject({ from: today, to: today, kind: 'shift' })
  expect(screen.getByText('T-1')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Yesterday' }))
  await waitFor(() => expect(asked()).toMatchObject({ from: addDays(today, -1), to: addDays(today, -1) }))
  await user.click(screen.getByRole('button', { name: 'Only by Sam Lee' }))
  await waitFor(() => expect(asked()).toMatchObject({ by: testUid(7) }))
  await user.click(screen.getByRole('button', { name: /^Only T-2/ }))
  await waitFor(() => expect(asked()).toMatchObject({ by: testUid(7), record: testUid(5) }))
  await user.click(screen.getByRole('button', { name: /^Everyone instead of/ }))
  await waitFor(() => expect(asked()['by']).toBeUndefined())
})

test('is closed to drivers', async () => {
  openConsole('/schedule/program-user-schedule?changes=shift', { api, user: someUser('driver') })
  await waitFor(() => expect(screen.queryByText('Changes')).toBeNull())
  expect(api.sentTo(changes.list)).toEqual([])
})
