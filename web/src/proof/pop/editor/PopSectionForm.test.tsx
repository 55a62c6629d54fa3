import { pops } from '@roadshow/contract/proof/pop'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepDrafts } from '../../../api/drafts.ts'
import { fakeApi, openConsole, refusal, someUser } from '../../../test-console.tsx'
import type { FakeApi } from '../../../test-console.tsx'
import { testUid } from '../../../test-uid.ts'
import { answerPops, aPop, aPopPhoto } from '../test-pop.ts'

let api: FakeApi
let world: Parameters<typeof answerPops>[1]
const user = userEvent.setup({ delay: null })
const sales = someUser('sales')

beforeEach(() => {
  api = fakeApi()
  world = { pop: aPop(), photos: [aPopPhoto(1)], versions: [] }
  answerPops(api, world)
})
afterEach(cleanup)

const openText = async () => {
  openConsole(`/client-pop?open=${testUid(1)}&tab=text`, { api, user: sales })
  return screen.findByLabelText<HTMLInputElement>('Headline')
}
const textField = () => screen.getByLabelText<HTMLTextAreaElement>('Text', { selector: 'textarea' })
const save = () => user.click(screen.getByRole('button', { name: /Save text/ }))
const lastSaved = () => api.sentTo(pops.update).at(-1)?.body

test('text typed while a save runs is kept, and saved next', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  api.respond(pops.update, async ({ body }) => {
    await answered
    world.pop = aPop({ ...(body as object), version: 4 })
    return Response.json({ data: world.pop })
  })
  const headline = await openText()
  await user.type(headline, 'Seen in Texas')
  await save()
  await waitFor(() => expect(api.sentTo(pops.update)).toHaveLength(1))
  await user.type(textField(), 'A hundred trucks')
  answer()
  await screen.findByText('Summer: text saved.')
  expect(textField()).toHaveValue('A hundred trucks')
  expect(headline).toHaveValue('Seen in Texas')
  await user.click(screen.getByRole('link', { name: 'All POPs' }))
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  await save()
  await waitFor(() => expect(api.sentTo(pops.update)).toHaveLength(2))
  expect(lastSaved()).toMatchObject({ version: 4, headline: 'Seen in Texas', text: 'A hundred trucks' })
})

test('text outlasts a forced sign-out, beside what someone else wrote since', async () => {
  await user.type(await openText(), 'Mine')
  keepDrafts(sales.userUid)
  cleanup()

  world.pop = aPop({ headline: 'Theirs', text: 'Their text', version: 9 })
  const headline = await openText()
  await screen.findByText('Your unsaved changes are back.')
  expect(headline).toHaveValue('Mine')
  expect(textField()).toHaveValue('Their text')
  expect(await screen.findByText('Headline was changed to: Theirs')).toBeInTheDocument()
  api.respond(pops.update, () => refusal('forbidden'))
  await save()
  await waitFor(() => expect(lastSaved()).toMatchObject({ version: 9, headline: 'Mine', text: 'Their text' }))
})

test('a text that someone else changed meanwhile is marked at once, refused, and saved over the newest', async () => {
  const headline = await openText()
  await user.type(headline, 'Mine')
  world.pop = aPop({ headline: 'Theirs', text: 'Their text', version: 9 })
  window.dispatchEvent(new Event('visibilitychange'))
  expect(await screen.findByText('Headline was changed to: Theirs')).toBeInTheDocument()
  expect(textField()).toHaveValue('')
  api.respond(pops.update, () => refusal('staleVersion'))
  await save()
  await waitFor(() => expect(lastSaved()).toMatchObject({ version: 3, headline: 'Mine' }))
  await user.click(await screen.findByRole('button', { name: 'Reload and keep my edits' }))
  await waitFor(() => expect(textField()).toHaveValue('Their text'))
  expect(headline).toHaveValue('Mine')
  await save()
  await waitFor(() => expect(lastSaved()).toMatchObject({ version: 9, headline: 'Mine', text: 'Their text' }))
})

test('a draft of text that no one else has changed is saved on the newest version', async () => {
  await user.type(await openText(), 'Mine')
  keepDrafts(sales.userUid)
  cleanup()

  world.pop = aPop({ version: 9 })
  await openText()
  await screen.findByText('Your unsaved changes are back.')
  api.answer(pops.update, ({ body }) => ({ data: (world.pop = aPop({ ...(body as object), version: 10 })) }))
  await save()
  await screen.findByText('Summer: text saved.')
  expect(lastSaved()).toMatchObject({ version: 9, headline: 'Mine' })
})
