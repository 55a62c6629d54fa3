import { fleet } from '@roadshow/contract/live/fleet'
import { issueWork } from '@roadshow/contract/live/issue-work'
import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { DEFAULT_ERROR } from '@roadshow/contract/platform/constants'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeApi, findDialog, openConsole, paged, refusal } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'
import { anIssue } from '../fleet/test-overview.ts'

const CHANGED_ELSEWHERE = 'Someone else changed this issue. Save again to make your change, too.'

// The server's end of the channel.
type Handler = (given?: unknown) => void
const handlers: Record<string, Handler> = {}
const socket = {
  on: (event: string, handler: Handler) => (handlers[event] = handler),
  disconnect: () => undefined,
  timeout: () => ({ emitWithAck: async () => ({ trucks: [] }) }),
}
vi.doMock('socket.io-client', () => ({ io: () => socket }))

const kit = { uid: testUid(601), name: 'Kit Moreno' }
const mara = { uid: testUid(602), name: 'Mara Lee' }

let api: FakeApi
let known: TruckIssue
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  for (const event of Object.keys(handlers)) delete handlers[event]
  known = anIssue
  api.answer(fleet.issues, () => paged([known]))
  api.answer(fleet.issue, () => ({ data: known }))
  api.answer(issueWork.comments, () => ({ data: [] }))
  api.answer(issueWork.assignees, () => paged([kit, mara]))
  for (const endpoint of [fleet.resolve, issueWork.assign])
    api.respond(endpoint, ({ body }) => {
      if ((body as TruckIssue).version !== known.version) return refusal('staleVersion')
      return Response.json({ data: known })
    })
})
afterEach(cleanup)

const bodiesOf = (endpoint: Endpoint) => api.sentTo(endpoint).map(({ body }) => body)
const keysOf = (endpoint: Endpoint) => api.sentTo(endpoint).map(({ headers }) => headers.get('Idempotency-Key'))

/** A colleague changes the issue, and every screen that shows it fetches it again. */
async function changeElsewhere(changes: Partial<TruckIssue>) {
  known = { ...known, ...changes, version: known.version + 1 }
  const before = api.sentTo(fleet.issue).length + api.sentTo(fleet.issues).length
  await waitFor(() => expect(handlers).toHaveProperty('issues-changed'))
  act(() => handlers['issues-changed']?.())
  await waitFor(() => expect(api.sentTo(fleet.issue).length + api.sentTo(fleet.issues).length).toBeGreaterThan(before))
}

async function openIssue() {
  openConsole(`/overview?open=${anIssue.uid}`, { api })
  return within(await findDialog('Screen: T-1'))
}

describe('a colleague’s note', () => {
  test('appears while the issue is open, and resolving keeps it', async () => {
    const drawer = await openIssue()
    await changeElsewhere({ note: 'Cable ordered' })
    await waitFor(() => expect(drawer.getByLabelText('Note')).toHaveValue('Cable ordered'))
    await user.click(drawer.getByRole('button', { name: 'Resolve' }))
    await screen.findByText('Issue resolved.')
    expect(bodiesOf(fleet.resolve)).toMatchObject([{ version: 3, note: 'Cable ordered' }])
  })

  test('is not overwritten by one that was begun before it, until its writer has seen it', async () => {
    const drawer = await openIssue()
    await user.type(drawer.getByLabelText('Note'), 'Mine')
    await changeElsewhere({ note: 'Cable ordered' })
    expect(await drawer.findByText('The note was changed to: Cable ordered')).toBeInTheDocument()
    expect(drawer.getByLabelText('Note')).toHaveValue('Mine')
    await user.click(drawer.getByRole('button', { name: 'Resolve' }))
    expect(await drawer.findByText(CHANGED_ELSEWHERE)).toBeInTheDocument()
    await user.click(drawer.getByRole('button', { name: 'Resolve' }))
    await screen.findByText('Issue resolved.')
    expect(bodiesOf(fleet.resolve)).toMatchObject([
      { version: 2, note: 'Mine' },
      { version: 3, note: 'Mine' },
    ])
  })

  test('is kept by the dialog that resolves an issue from a list, too', async () => {
    openConsole('/overview', { api })
    const actions = within((await screen.findAllByRole('group', { name: 'Actions for T-1' }))[0] as HTMLElement)
    await user.click(actions.getByRole('button', { name: 'Resolve' }))
    const dialog = within(await findDialog('Resolve issue'))
    await changeElsewhere({ note: 'Cable ordered' })
    await waitFor(() => expect(dialog.getByLabelText('Note')).toHaveValue('Cable ordered'))
    await user.type(dialog.getByLabelText('Note'), ', done')
    await changeElsewhere({ note: 'Cable delayed' })
    await dialog.findByText('The note was changed to: Cable delayed')
    await user.click(dialog.getByRole('button', { name: 'Resolve' }))
    expect(await dialog.findByText(CHANGED_ELSEWHERE)).toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Resolve' }))
    await screen.findByText('Issue resolved.')
    expect(bodiesOf(fleet.resolve)).toMatchObject([
      { version: 3, note: 'Cable ordered, done' },
      { version: 4, note: 'Cable ordered, done' },
    ])
  })
})

test('an assignee that a colleague chose meanwhile is not replaced unseen', async () => {
  const drawer = await openIssue()
  await user.click(drawer.getByRole('button', { name: 'Assign' }))
  const dialog = within(await findDialog('Assign issue'))
  await user.click(dialog.getByRole('combobox', { name: 'Assigned to' }))
  await user.click(await screen.findByTitle('Kit Moreno'))
  await changeElsewhere({ assignee: mara })
  await dialog.findByText('The issue was assigned to Mara Lee.')
  await user.click(dialog.getByRole('button', { name: 'Assign' }))
  expect(await dialog.findByText(CHANGED_ELSEWHERE)).toBeInTheDocument()
  await user.click(dialog.getByRole('button', { name: 'Assign' }))
  await screen.findByText('Issue assigned.')
  expect(bodiesOf(issueWork.assign)).toMatchObject([
    { version: 2, assigneeUid: kit.uid },
    { version: 3, assigneeUid: kit.uid },
  ])
})

describe('a comment', () => {
  const aComment = { uid: testUid(801), by: kit, at: '2026-07-01T12:00:00.000Z', text: 'On it', photos: [] }
  const openComments = async () => {
    const drawer = await openIssue()
    await user.click(drawer.getByRole('tab', { name: 'Comments' }))
    return { drawer, field: await drawer.findByLabelText<HTMLTextAreaElement>('Comment') }
  }

  test('stays in its field while the others cannot be fetched', async () => {
    const { drawer, field } = await openComments()
    await user.type(field, 'Half a thought')
    api.respond(issueWork.comments, () => refusal('tooMany'))
    const before = api.sentTo(issueWork.comments).length
    await changeElsewhere({})
    await waitFor(() => expect(api.sentTo(issueWork.comments).length).toBeGreaterThan(before))
    // The failed answer is drawn a moment after it was sent.
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(drawer.getByLabelText('Comment')).toHaveValue('Half a thought')
  })

  test('has the same key until it is stored, and another text has another key', async () => {
    const { drawer, field } = await openComments()
    api.respond(issueWork.comment, () => refusal('internal'))
    const add = async () => {
      const before = api.sentTo(issueWork.comment).length
      await user.click(drawer.getByRole('button', { name: 'Add comment' }))
      await waitFor(() => expect(api.sentTo(issueWork.comment)).toHaveLength(before + 1))
      await waitFor(() =>
        expect(drawer.getByRole('button', { name: 'Add comment' })).not.toHaveClass('ant-btn-loading'),
      )
    }
    await user.type(field, 'On it')
    await add()
    expect(drawer.getByText(DEFAULT_ERROR)).toBeInTheDocument()
    await add()
    await user.type(field, '!')
    await add()
    api.answer(issueWork.comment, () => ({ data: aComment }))
    await add()
    await user.type(field, 'On it!')
    await add()
    const [first, second, third, fourth, fifth] = keysOf(issueWork.comment)
    expect(second).toBe(first)
    expect(third).not.toBe(second)
    expect(fourth).toBe(third)
    expect(fifth).not.toBe(fourth)
  })

  test('that is begun while another is sent is kept', async () => {
    const { drawer, field } = await openComments()
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    api.respond(issueWork.comment, async () => {
      await answered
      return Response.json({ data: aComment })
    })
    await user.type(field, 'On it')
    await user.click(drawer.getByRole('button', { name: 'Add comment' }))
    await waitFor(() => expect(api.sentTo(issueWork.comment)).toHaveLength(1))
    await user.type(field, ', at noon')
    answer()
    await waitFor(() => expect(drawer.getByRole('button', { name: 'Add comment' })).not.toHaveClass('ant-btn-loading'))
    expect(field).toHaveValue('On it, at noon')
  })
})

test('a message to the driver of an issue has the same key until it is stored', async () => {
  const shift = { uid: testUid(500), program: 'Summer Tour', status: 'out' as const }
  known = { ...anIssue, shift, driver: { ...kit, phone: '' } }
  api.respond(shiftDrivers.write, () => refusal('internal'))
  const drawer = await openIssue()
  await user.click(drawer.getByRole('button', { name: 'Message' }))
  const dialog = within(await findDialog('Message to Kit Moreno'))
  await user.type(dialog.getByLabelText('Message'), 'Call me')
  await user.click(dialog.getByRole('button', { name: 'Send message' }))
  await dialog.findByText(DEFAULT_ERROR)
  await user.click(dialog.getByRole('button', { name: /Send message/ }))
  await waitFor(() => expect(api.sentTo(shiftDrivers.write)).toHaveLength(2))
  expect(new Set(keysOf(shiftDrivers.write)).size).toBe(1)
})

test('an issue that was raised without an answer is raised once, and can be corrected', async () => {
  api.answer(issueWork.trucks, () => paged([{ uid: testUid(1), name: 'T-1' }]))
  api.respond(issueWork.raise, () => refusal('internal'))
  openConsole(`/overview?open=new&truck=${testUid(1)}`, { api })
  const drawer = within(await findDialog('New issue'))
  const raise = async () => {
    const before = api.sentTo(issueWork.raise).length
    await user.click(drawer.getByRole('button', { name: /Report issue/ }))
    await waitFor(() => expect(api.sentTo(issueWork.raise)).toHaveLength(before + 1))
    await drawer.findByText(DEFAULT_ERROR)
  }
  await user.type(drawer.getByLabelText('Description'), 'Flat tire')
  await raise()
  await raise()
  await user.type(drawer.getByLabelText('Description'), 's')
  await raise()
  const [first, second, third] = keysOf(issueWork.raise)
  expect(second).toBe(first)
  expect(third).not.toBe(first)
})
