import { trucks } from '@roadshow/contract/catalog/trucks'
import { errorLog } from '@roadshow/contract/console/error-log'
import { beforeEach, expect, test, vi } from 'vitest'
import { fakeApi, refusal } from '../test-console.tsx'
import type { FakeApi } from '../test-console.tsx'
import { call } from './call.ts'
import { createQueryClient, keyOf } from './queryClient.ts'
import { currentUser } from './user.ts'

let api: FakeApi
beforeEach(() => {
  vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  api = fakeApi()
  api.answer(errorLog.report, () => ({ data: { uid: '01900000-0000-7000-8000-000000000009' } }))
})

const readTrucks = () =>
  createQueryClient().fetchQuery({
    queryKey: keyOf(trucks.list, {}),
    queryFn: () => call(trucks.list, { query: {} }),
    retry: false,
  })

test('a list that cannot be read is reported to the web log, under the path of its call', async () => {
  api.respond(trucks.list, () => refusal('internal'))
  await expect(readTrucks()).rejects.toMatchObject({ status: 500 })
  await vi.waitFor(() => expect(api.sentTo(errorLog.report)).toHaveLength(1))
  expect(api.sentTo(errorLog.report)[0]?.body).toMatchObject({
    errorOrigin: 'trucks/run',
    error: { name: 'ApiError', message: expect.any(String) as string },
  })
})

test('an ended session is not reported, nor a failure that its caller reports', async () => {
  api.respond(trucks.list, () => refusal('signedOut'))
  await expect(readTrucks()).rejects.toMatchObject({ status: 401 })
  await expect(createQueryClient().fetchQuery(currentUser)).rejects.toMatchObject({ name: 'ApiError' })
  expect(api.sentTo(errorLog.report)).toHaveLength(0)
})
