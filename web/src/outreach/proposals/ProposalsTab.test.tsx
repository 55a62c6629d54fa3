import { programs } from '@roadshow/contract/catalog/programs'
import type { Program } from '@roadshow/contract/catalog/programs'
import { salesProposals } from '@roadshow/contract/outreach/proposals'
import type { SalesProposal } from '@roadshow/contract/outreach/proposals'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

const program: Program = {
  uid: testUid(1),
  client: { uid: testUid(2), name: 'Acme' },
  name: 'Summer',
  status: 'draft',
  startsOn: '2026-12-01',
  endsOn: '2026-12-31',
  popUrl: 'summer',
  markets: [],
  bookedLines: [],
  spotSeconds: null,
  note: '',
  createdAt: '2026-11-01T12:00:00.000Z',
  updatedAt: '2026-11-01T12:00:00.000Z',
  version: 1,
}

const aProposal = (number: number, more: Partial<SalesProposal> = {}): SalesProposal => ({
  uid: testUid(10 + number),
  number,
  title: `Offer ${number}`,
  state: 'open',
  sha256: 'ab'.repeat(32),
  showsPrices: true,
  createdBy: { uid: testUid(3), name: 'Sam Seller' },
  createdAt: '2026-11-10T12:00:00.000Z',
  validUntil: '2026-12-10',
  zone: 'America/Chicago',
  endedAt: null,
  endedBy: null,
  views: 3,
  lastViewedAt: '2026-11-11T12:00:00.000Z',
  acceptance: null,
  isOutdated: false,
  ...more,
})

const accepted = { name: 'Ann Buyer', note: 'Start early.', at: '2026-11-12T12:00:00.000Z' }

// Roles are slow to find in a drawer over a list.
const buttonIn = (part: HTMLElement, name: string) =>
  within(part).getByText(name, { selector: 'button span' }).closest('button') as HTMLElement

let api: FakeApi
let known: SalesProposal[]
let blocker: string | null
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  blocker = null
  known = [
    aProposal(3),
    aProposal(2, { isOutdated: true }),
    aProposal(1, { state: 'accepted', acceptance: accepted, isOutdated: true }),
  ]
  api.answer(programs.list, () => paged([program]))
  api.answer(programs.get, () => ({ data: program }))
  api.answer(salesProposals.list, () => ({
    data: { blocker, contacts: [{ name: 'Ann Buyer', email: 'ann@example.com' }], proposals: known },
  }))
})
afterEach(cleanup)

/** Opens the tab and finds its rows. */
async function openTab(role: 'sales' | 'client' = 'sales') {
  openConsole(`/client-programs?open=${program.uid}&tab=proposals`, { api, user: someUser(role, ['clients']) })
  const drawer = await findDialog('Summer')
  return {
    drawer,
    rows: async () => [...((await within(drawer).findByText('3. Offer 3')).closest('ul')?.children ?? [])],
  }
}

test('lists proposals with state, views, acceptance and whether the program changed since', async () => {
  const { rows } = await openTab()
  const [open, old, won] = (await rows()).map(({ textContent }) => textContent)
  expect(open).toContain('3. Offer 3Open')
  expect(open).toContain('3 views')
  expect(open).not.toContain('changed since')
  expect(old).toContain('The program changed since. The client still reads the old one: send a new proposal.')
  expect(won).toContain('Accepted by Ann Buyer')
  expect(won).toContain('Start early.')
  expect(won).toContain('The program changed since it was accepted.')
})

test('previews and creates a proposal, marks what the server refuses, and shows the link once', async () => {
  const { drawer } = await openTab()
  await user.click((await within(drawer).findByText('New proposal')).closest('button') as HTMLElement)
  const form = await findDialog('New proposal for Acme')
  // Contacts are chosen already; without one, the link is only shown.
  expect(await within(form).findByLabelText('Ann Buyer, ann@example.com')).toBeChecked()
  expect(within(form).getByLabelText('Text of the email')).toHaveValue('Here is what we propose for Acme: Summer.')
  await user.click(within(form).getByLabelText('Ann Buyer, ann@example.com'))
  expect(within(form).queryByLabelText('Text of the email')).toBeNull()
  const title = within(form).getByLabelText<HTMLInputElement>('Title')
  expect(title.value).toBe('Summer')
  await user.clear(title)
  await user.type(title, 'Better summer')
  await user.click(within(form).getByLabelText('Show the prices of booked lines'))
  api.answer(salesProposals.preview, () => ({ data: { html: '<p>As read</p>' } }))
  await user.click(buttonIn(form, 'Preview'))
  expect(await within(form).findByTitle('Preview of the proposal')).toHaveAttribute('srcdoc', '<p>As read</p>')
  api.respond(salesProposals.create, () =>
    refusal('badInput', { fields: { validUntil: 'Must be from Nov 17, 2026 to Nov 17, 2027.' } }),
  )
  await user.click(buttonIn(form, 'Create proposal'))
  expect(await within(form).findByText('Must be from Nov 17, 2026 to Nov 17, 2027.')).toBeInTheDocument()
  api.answer(salesProposals.create, ({ body }) => {
    expect(body).toMatchObject({ title: 'Better summer', showsPrices: false, introduction: '' })
    return { data: { url: 'http://localhost/o/secret', proposal: aProposal(4) } }
  })
  await user.click(buttonIn(form, 'Create proposal'))
  expect(await within(form).findByDisplayValue('http://localhost/o/secret')).toBeInTheDocument()
})

test('is sent to the mailbox of a contact with a text of one’s own', async () => {
  const { drawer } = await openTab()
  await user.click((await within(drawer).findByText('New proposal')).closest('button') as HTMLElement)
  const form = await findDialog('New proposal for Acme')
  const text = await within(form).findByLabelText('Text of the email')
  await user.clear(text)
  await user.type(text, 'As we said on Monday.')
  api.answer(salesProposals.create, ({ body }) => {
    expect(body).toMatchObject({ sendTo: ['ann@example.com'], mailText: 'As we said on Monday.' })
    return { data: { url: 'http://localhost/o/secret', proposal: aProposal(4) } }
  })
  await user.click(buttonIn(form, 'Send proposal'))
  expect(await within(form).findByText('Emailed to ann@example.com.')).toBeInTheDocument()
})

test('revokes after a question that says what it does, and shows the record of an acceptance', async () => {
  const { drawer } = await openTab()
  await user.click(await within(drawer).findByLabelText('Revoke proposal 3'))
  const question = await findDialog('Revoke proposal 3?')
  expect(question.textContent).toContain('It can no longer be accepted.')
  api.answer(salesProposals.end, () => ({ data: aProposal(3, { state: 'ended' }) }))
  await user.click(buttonIn(question, 'Revoke'))
  expect(await screen.findByText('The proposal is revoked.')).toBeInTheDocument()
  api.answer(salesProposals.page, () => {
    const { isOutdated: _, ...proposal } = aProposal(1, { state: 'accepted', acceptance: accepted })
    return { data: { proposal, html: '<p>Frozen</p>' } }
  })
  await user.click(within(drawer).getByLabelText('View proposal 1'))
  const record = await findDialog('Proposal 1')
  expect((await within(record).findByLabelText('Acceptance')).textContent).toContain('Ann Buyer')
  expect(within(record).getByTitle('Proposal 1')).toHaveAttribute('srcdoc', '<p>Frozen</p>')
})

test('says why none can be made, and is not there for clients', async () => {
  blocker = 'Only a draft program can be proposed.'
  const { drawer } = await openTab()
  expect(await within(drawer).findByText(blocker)).toBeInTheDocument()
  expect(within(drawer).queryByText('New proposal')).toBeNull()
  cleanup()
  const other = await openTab('client')
  expect(within(other.drawer).queryByText('Proposals')).toBeNull()
})
