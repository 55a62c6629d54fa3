import { messages } from '@roadshow/contract/outreach/messages'
import type { OutgoingMessageEntry } from '@roadshow/contract/outreach/messages'
import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, findDialog, openConsole, paged } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'

const aMessage = (more: Partial<OutgoingMessageEntry> = {}): OutgoingMessageEntry => ({
  uid: testUid(1),
  at: '2026-11-16T12:00:00.000Z',
  kind: 'truck-dark',
  channel: 'mail',
  recipient: 'ann@example.com',
  user: { uid: testUid(2), name: 'Ann' },
  subject: 'T-4 is dark',
  state: 'dead',
  attempts: 1,
  nextAt: null,
  doneAt: '2026-11-16T12:00:05.000Z',
  problem: '550 No such mailbox',
  ...more,
})

let api: FakeApi
let shown: OutgoingMessageEntry
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  shown = aMessage()
  api.answer(messages.list, () => paged([shown]))
  api.answer(messages.counts, () => ({ data: { waiting: 3, late: 2, dead: 1 } }))
  api.answer(messages.get, () => ({
    data: {
      ...shown,
      log: [{ at: '2026-11-16T12:00:05.000Z', ms: 1240, outcome: 'refused' as const, answer: '550 No such mailbox' }],
      isSecret: false,
      mail: { text: 'T-4', html: '<html><head></head><body>T-4 has shown no picture.</body></html>' },
    },
  }))
  api.answer(messages.sendAgain, () => ({ data: aMessage({ state: 'waiting' }) }))
  api.answer(messages.cancel, () => ({ data: aMessage({ state: 'cancelled' }) }))
})

afterEach(cleanup)

async function openMessage() {
  openConsole('/users?view=messages', { api })
  await user.click((await screen.findByText('T-4 is dark')).closest('tr') as HTMLElement)
  return findDialog('T-4 is dark')
}

test('a message that was not delivered says why, shows its attempts and the mail, and is sent again', async () => {
  const drawer = await openMessage()
  expect((await screen.findByRole('link', { name: '1 not delivered' })).getAttribute('href')).toContain('dead')
  expect(drawer.textContent).toContain('550 No such mailbox')
  expect(drawer.textContent).toContain('1.2 s')
  const frame = within(drawer).getByTitle('The email')
  expect([frame.getAttribute('sandbox'), frame.getAttribute('srcdoc')]).toEqual([
    '',
    '<html><head><base target="_blank"></head><body>T-4 has shown no picture.</body></html>',
  ])
  await user.click(within(drawer).getByRole('button', { name: 'Send again' }))
  await screen.findByText('The message is on its way again.')
  expect(api.sentTo(messages.sendAgain)).toHaveLength(1)
})

test('a message that waits is canceled after a question', async () => {
  shown = aMessage({ state: 'late', doneAt: null, nextAt: '2026-11-16T12:05:00.000Z' })
  const drawer = await openMessage()
  await user.click(within(drawer).getByRole('button', { name: 'Cancel message' }))
  expect(api.sentTo(messages.cancel)).toHaveLength(0)
  const question = await findDialog('Cancel this message?')
  await user.click(within(question).getByRole('button', { name: 'Cancel message' }))
  await screen.findByText('The message is canceled.')
  expect(api.sentTo(messages.cancel)).toHaveLength(1)
})

test('a message that was sent can’t be sent again', async () => {
  shown = aMessage({ state: 'sent', problem: '' })
  const drawer = await openMessage()
  expect(within(drawer).queryByRole('button', { name: /Send again|Cancel message/ })).toBeNull()
})
