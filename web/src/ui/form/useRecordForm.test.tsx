import { listFacts } from '@roadshow/contract/console/list-facts'
import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import { DEFAULT_ERROR } from '@roadshow/contract/platform/constants'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testTruck } from '../../test-truck.ts'
import { fakeApi, findDialog, openConsole, paged, refusal } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'

let api: FakeApi
let truck: Truck
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  truck = testTruck(1)
  api.answer(trucks.list, () => paged([truck]))
  api.answer(trucks.get, () => ({ data: truck }))
  api.answer(trucks.history, () => paged([]))
  api.answer(listFacts.trucks, () => ({ data: [] }))
})
afterEach(cleanup)

const save = () => user.click(screen.getByRole('button', { name: /Save/ }))

test('reloading keeps what is typed while it loads, however often it is asked for', async () => {
  api.respond(trucks.update, () => refusal('staleVersion'))
  openConsole(`/trucks?open=${truck.uid}`, { api })
  await findDialog('Truck T-1')
  await user.type(screen.getByLabelText('Note'), 'mine')
  await save()
  const reload = await screen.findByRole('button', { name: 'Reload and keep my edits' })

  truck = testTruck(1, { vin: '1HGCM82633A004352', version: 4 })
  const answers: (() => void)[] = []
  api.respond(trucks.get, async () => {
    await new Promise<void>((resolve) => answers.push(resolve))
    return Response.json({ data: truck })
  })
  await user.click(reload)
  await user.click(reload)
  await waitFor(() => expect(answers).toHaveLength(2))
  await user.type(screen.getByLabelText('Note'), ' and more')
  await user.type(screen.getByLabelText('Plate'), 'PLT-1')
  answers.forEach((answer) => answer())
  await waitFor(() => expect(screen.getByLabelText('VIN')).toHaveValue(truck.vin))
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(screen.queryByText(/was changed to/)).toBeNull()

  api.answer(trucks.update, () => ({ data: truck }))
  await save()
  await screen.findByText('Truck T-1 saved.')
  expect(api.sentTo(trucks.update).at(-1)?.body).toMatchObject({
    version: 4,
    vin: truck.vin,
    note: 'mine and more',
    plate: 'PLT-1',
  })
})

test('a new record that was corrected after a lost answer has another key, and an unchanged one the same', async () => {
  api.respond(trucks.create, () => refusal('internal'))
  openConsole('/trucks?open=new', { api })
  await findDialog('New truck')
  await user.type(screen.getByLabelText('Number'), 'T-13')
  const saveAgain = async () => {
    const before = api.sentTo(trucks.create).length
    await save()
    await waitFor(() => expect(api.sentTo(trucks.create)).toHaveLength(before + 1))
    await screen.findByText(DEFAULT_ERROR)
  }
  await saveAgain()
  await saveAgain()
  await user.type(screen.getByLabelText('Number'), '4')
  await saveAgain()
  const [first, second, third] = api.sentTo(trucks.create).map(({ headers }) => headers.get('Idempotency-Key'))
  expect(second).toBe(first)
  expect(third).not.toBe(second)
})
