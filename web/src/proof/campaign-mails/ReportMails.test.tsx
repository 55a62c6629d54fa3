import { campaignMails } from '@roadshow/contract/proof/campaign-mails'
import type { ReportMailing, ReportRecipient } from '@roadshow/contract/proof/campaign-mails'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'
import { answerPops, aPop } from '../pop/test-pop.ts'

const user = userEvent.setup({ delay: null })
const recipient = (name: string, more: Partial<ReportRecipient> = {}): ReportRecipient => ({
  email: `${name}@example.com`,
  occasions: ['weekly', 'end'],
  unsubscribedAt: null,
  ...more,
})
const input = (name: string, occasions = recipient(name).occasions) => ({ email: `${name}@example.com`, occasions })

let api: FakeApi
/** The list on the server. */
let stored: ReportRecipient[]

beforeEach(() => {
  api = fakeApi()
  stored = [recipient('ann'), recipient('bob')]
  answerPops(api, { pop: aPop({ state: 'published', shownVersion: 1 }), photos: [], versions: [] })
  api.answer(campaignMails.get, () => ({ data: { recipients: stored, sent: [] } }))
  api.answer(campaignMails.save, ({ body }): { data: ReportMailing } => {
    stored = (body as { recipients: ReportRecipient[] }).recipients.map((each) => ({ ...each, unsubscribedAt: null }))
    return { data: { recipients: stored, sent: [] } }
  })
})
afterEach(cleanup)

async function openMails() {
  openConsole(`/client-pop?open=${testUid(1)}`, { api, user: someUser('client') })
  const part = within(await screen.findByRole('region', { name: 'Emailed reports' }))
  await part.findByLabelText('Email 1')
  return part
}
type Part = Awaited<ReturnType<typeof openMails>>

const addressesIn = (part: Part) => part.queryAllByLabelText<HTMLInputElement>(/^Email/).map(({ value }) => value)
const bodies = () => api.sentTo(campaignMails.save).map(({ body }) => body)

/** Comes back to the window, which loads the list again. */
async function comeBack() {
  const before = api.sentTo(campaignMails.get).length
  window.dispatchEvent(new Event('visibilitychange'))
  await waitFor(() => expect(api.sentTo(campaignMails.get).length).toBeGreaterThan(before))
}

async function addRecipient(part: Part, email: string) {
  await user.click(part.getByRole('button', { name: 'Add recipient' }))
  await user.type(part.getAllByLabelText(/^Email/).at(-1) as HTMLElement, email)
}

test('a typed row stays when the list is loaded again with one more recipient, and a removed row stays removed', async () => {
  const part = await openMails()
  await addRecipient(part, 'mine@example.com')
  await user.click(part.getByRole('button', { name: 'Remove email 1' }))
  // The note of the address that unsubscribed shows that the answer has arrived.
  stored = [recipient('ann'), recipient('bob', { unsubscribedAt: '2026-07-01T12:00:00.000Z' }), recipient('theirs')]
  await comeBack()
  expect(await part.findByText(/^Unsubscribed/)).toBeInTheDocument()
  expect(addressesIn(part)).toEqual(['bob@example.com', 'mine@example.com'])
})

test('an untouched form follows the saves of others', async () => {
  const part = await openMails()
  stored = [...stored, recipient('theirs')]
  await comeBack()
  await waitFor(() => expect(addressesIn(part)).toEqual(['ann@example.com', 'bob@example.com', 'theirs@example.com']))
  await addRecipient(part, 'mine@example.com')
  await user.click(part.getByRole('button', { name: 'Save recipients' }))
  await waitFor(() =>
    expect(bodies()).toEqual([
      {
        before: [input('ann'), input('bob'), input('theirs')],
        recipients: [input('ann'), input('bob'), input('theirs'), input('mine')],
      },
    ]),
  )
})

test('a save from an old list is refused with the rows kept, and goes on from the new list', async () => {
  const part = await openMails()
  await addRecipient(part, 'mine@example.com')
  await user.click(part.getByRole('button', { name: 'Remove email 1' }))
  // Another person adds one, changes the one that is removed here, and changes one that is untouched here.
  stored = [recipient('ann', { occasions: ['end'] }), recipient('bob', { occasions: ['weekly'] }), recipient('theirs')]
  api.respond(campaignMails.save, () => refusal('staleVersion'))
  await user.click(part.getByRole('button', { name: 'Save recipients' }))
  expect(await part.findByRole('alert')).toHaveTextContent('Someone else changed this record.')
  expect(addressesIn(part)).toEqual(['bob@example.com', 'mine@example.com'])

  await user.click(part.getByRole('button', { name: 'Reload and keep my edits' }))
  await waitFor(() => expect(addressesIn(part)).toEqual(['bob@example.com', 'theirs@example.com', 'mine@example.com']))
  expect(part.queryByRole('alert')).not.toBeInTheDocument()
  api.answer(campaignMails.save, () => ({ data: { recipients: stored, sent: [] } }))
  await user.click(part.getByRole('button', { name: 'Save recipients' }))
  await waitFor(() =>
    expect(bodies()[1]).toEqual({
      before: [input('ann', ['end']), input('bob', ['weekly']), input('theirs')],
      recipients: [input('bob', ['weekly']), input('theirs'), input('mine')],
    }),
  )
})
