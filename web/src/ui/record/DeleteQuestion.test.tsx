import { auditLog } from '@roadshow/contract/accounts/audit-log'
import type { AuditEntry } from '@roadshow/contract/accounts/audit-log'
import { markets } from '@roadshow/contract/catalog/markets'
import { trucks } from '@roadshow/contract/catalog/trucks'
import type { Truck } from '@roadshow/contract/catalog/trucks'
import type { Dependents } from '@roadshow/contract/platform/deletion'
import type { RecordChange } from '@roadshow/contract/platform/history'
import { pops } from '@roadshow/contract/proof/pop'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aPop } from '../../proof/pop/test-pop.ts'
import { fakeApi, findDialog, openConsole, paged, refusal } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testTruck } from '../../test-truck.ts'
import { testUid } from '../../test-uid.ts'

const uid = testUid(2)
const SHIFTS = `/schedule/program-schedule?truck=${uid}`
const shifts = { kind: 'shifts', count: 12, to: SHIFTS } as const
const plays = { kind: 'plays', count: 1204, to: null } as const

let api: FakeApi
let fleet: Truck[]
let hanging: Dependents
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  fleet = [testTruck(2)]
  hanging = { dependents: [shifts, plays], refusal: null }
  api.answer(trucks.list, () => paged(fleet))
  api.answer(trucks.get, () => ({ data: testTruck(2) }))
  api.answer(trucks.dependents, () => ({ data: hanging }))
  api.answer(trucks.remove, () => {
    fleet = []
    return { data: { uid } }
  })
  api.answer(trucks.restore, () => {
    fleet = [testTruck(2)]
    return { data: { uid } }
  })
})
afterEach(cleanup)

async function askToDelete() {
  const opened = openConsole(`/trucks?open=${uid}`, { api })
  await user.click(within(await findDialog('Truck T-2')).getByRole('button', { name: 'Delete' }))
  return opened
}
const removal = () => api.sentTo(trucks.remove)[0]?.query.toString()

describe('before a record is deleted, the question', () => {
  test('lists what hangs on it, and deletes with the confirmation that plays need', async () => {
    await askToDelete()
    const question = await findDialog('Delete Truck T-2?')
    const list = await within(question).findByRole('list', { name: 'Behind it' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['12 shifts', '1,204 plays'])
    expect(within(list).getByRole('link', { name: '12 shifts' }).getAttribute('href')).toBe(SHIFTS)
    await user.click(within(question).getByRole('button', { name: 'Delete truck anyway' }))
    await screen.findByText('Truck deleted.')
    expect(removal()).toBe('confirmed=yes')
  })

  test('needs no confirmation where only shifts are behind it, and opens their list', async () => {
    hanging = { dependents: [shifts], refusal: null }
    await askToDelete()
    const question = await findDialog('Delete Truck T-2?')
    await within(question).findByRole('link', { name: '12 shifts' })
    await user.click(within(question).getByRole('button', { name: 'Delete truck' }))
    await screen.findByText('Truck deleted.')
    expect(removal()).toBe('')
    cleanup()
    fleet = [testTruck(2)]
    const { address } = await askToDelete()
    await user.click(await within(await findDialog('Delete Truck T-2?')).findByRole('link', { name: '12 shifts' }))
    await waitFor(() => expect(address()).toBe(SHIFTS))
  })

  test('says why it can’t be deleted, and offers no button for it', async () => {
    hanging = { dependents: [shifts], refusal: 'Shifts that are not over still need this truck: T-2 on 2090-01-02.' }
    await askToDelete()
    const question = await findDialog('Truck T-2 can’t be deleted')
    expect(question.textContent).toContain('Shifts that are not over still need this truck: T-2 on 2090-01-02.')
    expect(within(question).queryByRole('button', { name: /Delete/ })).toBeNull()
    await user.click(within(question).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement)
    expect(api.sentTo(trucks.remove)).toHaveLength(0)
  })

  test('leads to the public page that refuses it, and withdraws it', async () => {
    const withdraw = { kind: 'withdraw', uid: testUid(7), version: 3 } as const
    const screenOfPage = `/client-pop?open=${testUid(7)}`
    const page = { kind: 'publicPage', name: 'POP of Parade', screen: screenOfPage, act: withdraw } as const
    const rotation = { kind: 'rotation', name: 'Rotation of Parade', screen: '/client-programs', act: null } as const
    hanging = { dependents: [], refusal: 'The public sees it.', inTheWay: [page, rotation] }
    api.answer(pops.withdraw, () => ({ data: aPop({ uid: testUid(7), version: 4 }) }))
    await askToDelete()
    const question = await findDialog('Truck T-2 can’t be deleted')
    await within(question).findByRole('button', { name: 'Withdraw' })
    const ways = within(question).getAllByRole('region', { name: 'In the way' })
    expect(ways.map(({ textContent }) => textContent)).toEqual([
      'POP of Parade:ShowWithdraw',
      'Rotation of Parade:Show',
    ])
    expect(within(question).getAllByRole('link', { name: 'Show' })[0]?.getAttribute('href')).toBe(screenOfPage)
    hanging = { dependents: [], refusal: null }
    await user.click(within(question).getByRole('button', { name: 'Withdraw' }))
    await findDialog('Delete Truck T-2?')
    expect(api.sentTo(pops.withdraw)[0]?.body).toEqual({ uid: testUid(7), version: 3, isShown: false })
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('Page published again.')
    expect(api.sentTo(pops.withdraw)[1]?.body).toEqual({ uid: testUid(7), version: 4, isShown: true })
  })

  test('does not confirm what it could not show', async () => {
    api.respond(trucks.dependents, () => refusal('internal'))
    await askToDelete()
    const question = await findDialog('Delete Truck T-2?')
    expect((await within(question).findByRole('alert')).textContent).toContain('couldn’t be loaded')
    await user.click(within(question).getByRole('button', { name: 'Delete truck' }))
    await screen.findByText('Truck deleted.')
    expect(removal()).toBe('')
  })

  test('is the same on the classic page', async () => {
    openConsole('/old-trucks', { api })
    await user.click(await screen.findByRole('button', { name: 'Delete Truck T-2' }))
    const question = await findDialog('Delete Truck T-2?')
    expect((await within(question).findByRole('list', { name: 'Behind it' })).textContent).toContain('1,204 plays')
    await user.click(within(question).getByRole('button', { name: 'Delete anyway' }))
    await screen.findByText('Truck T-2 deleted.')
    expect(removal()).toBe('confirmed=yes')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('Truck T-2 restored.')
    expect(await screen.findByLabelText('Plate, Truck T-2')).toBeInTheDocument()
  })
})

describe('what was deleted is restored', () => {
  test('by the notice', async () => {
    await askToDelete()
    await user.click(await within(await findDialog('Delete Truck T-2?')).findByRole('button', { name: /anyway/ }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await screen.findByText('Truck T-2 restored.')
    expect(api.sentTo(trucks.restore).map(({ params }) => params.uid)).toEqual([uid])
    expect(await screen.findByRole('link', { name: 'T-2' })).toBeInTheDocument()
  })

  test('after a deleted record that it needs, which the notice restores', async () => {
    const market = { kind: 'restore', record: 'market', uid: testUid(8) } as const
    const inTheWay = [{ kind: 'deletedRecord', name: 'Dallas', screen: null, act: market } as const]
    let isMarketBack = false
    api.respond(trucks.restore, () =>
      isMarketBack ? Response.json({ data: { uid } }) : refusal('restoreRefused', { inTheWay }),
    )
    api.answer(markets.restore, () => {
      isMarketBack = true
      return { data: { uid: testUid(8) } }
    })
    await askToDelete()
    await user.click(await within(await findDialog('Delete Truck T-2?')).findByRole('button', { name: /anyway/ }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await user.click(await screen.findByRole('button', { name: 'Restore Dallas first' }))
    await screen.findByText('Truck T-2 restored.')
    expect(api.sentTo(markets.restore).map(({ params }) => params.uid)).toEqual([testUid(8)])
  })

  test('unless its place is taken: then the notice says by whom', async () => {
    api.respond(trucks.restore, () => refusal('numberTaken'))
    await askToDelete()
    await user.click(await within(await findDialog('Delete Truck T-2?')).findByRole('button', { name: /anyway/ }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByText('Another truck already has this number.')).toBeInTheDocument()
  })

  test('beside its entry in the audit log, with its history', async () => {
    const entry: AuditEntry = {
      uid: testUid(50),
      at: '2026-07-01T12:00:00.000Z',
      kind: 'recordDeleted',
      by: { uid: testUid(51), name: 'Mara Lee' },
      subject: 'Truck T-2',
      detail: '',
      address: '10.0.0.7',
      userAgent: '',
      requestId: '',
      record: { kind: 'truck', uid },
    }
    api.answer(auditLog.list, () => paged([entry]))
    const change: RecordChange = { at: entry.at, action: 'deleted' as const, by: 'Mara Lee', address: null, fields: [] }
    api.answer(trucks.history, () => ({ data: [change], page: 1, pageSize: 50, total: 1 }))
    openConsole('/users?view=audit-log', { api })
    await user.click(await screen.findByRole('button', { name: 'Open Truck T-2' }))
    const drawer = await findDialog('Truck T-2')
    expect((await within(drawer).findByText(/deleted it/)).textContent).toContain('Mara Lee')
    await user.click(within(drawer).getByRole('button', { name: 'Restore' }))
    await screen.findByText('Truck T-2 restored.')
    expect(api.sentTo(trucks.restore)).toHaveLength(1)
  })
})
