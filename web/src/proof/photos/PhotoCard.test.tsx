import { DEFAULT_ERROR } from '@roadshow/contract/platform/constants'
import { pops } from '@roadshow/contract/proof/pop'
import { cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fakeApi, openConsole, refusal, someUser } from '../../test-console.tsx'
import type { FakeApi } from '../../test-console.tsx'
import { testUid } from '../../test-uid.ts'
import { answerPops, aPop, aPopPhoto } from '../pop/test-pop.ts'

let api: FakeApi
let world: Parameters<typeof answerPops>[1]
const user = userEvent.setup({ delay: null })

beforeEach(() => {
  api = fakeApi()
  world = { pop: aPop(), photos: [aPopPhoto(1, { caption: '' })], versions: [] }
  answerPops(api, world)
})
afterEach(cleanup)

const openCaption = () => {
  openConsole(`/client-pop?open=${testUid(1)}`, { api, user: someUser('sales') })
  return screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Caption of photo-1.jpg' })
}
const saveCaptions = () =>
  api.answer(pops.updatePhoto, ({ body }) => {
    const { caption } = body as { caption: string }
    world.photos = [aPopPhoto(1, { caption, version: 2 })]
    return { data: world.photos[0] ?? aPopPhoto(1) }
  })

test('a caption that could not be saved stays in its field, and is saved when the field is left again', async () => {
  api.respond(pops.updatePhoto, () => refusal('internal'))
  const caption = await openCaption()
  await user.type(caption, 'Main Street{Enter}')
  await screen.findByText(DEFAULT_ERROR)
  expect(caption).toHaveValue('Main Street')
  saveCaptions()
  await user.type(caption, '{Enter}')
  await waitFor(() => expect(api.sentTo(pops.updatePhoto)).toHaveLength(2))
  await waitFor(() => expect(world.photos[0]?.caption).toBe('Main Street'))
})

test('a caption that is typed on while it is saved is kept', async () => {
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  api.respond(pops.updatePhoto, async () => {
    await answered
    world.photos = [aPopPhoto(1, { caption: 'Main Street', version: 2 })]
    return Response.json({ data: world.photos[0] })
  })
  const caption = await openCaption()
  await user.type(caption, 'Main Street{Enter}')
  await waitFor(() => expect(api.sentTo(pops.updatePhoto)).toHaveLength(1))
  await user.type(caption, ' at noon')
  const before = api.sentTo(pops.photos).length
  answer()
  await waitFor(() => expect(api.sentTo(pops.photos).length).toBeGreaterThan(before))
  // The newest photos are drawn a moment after they were sent.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(caption).toHaveValue('Main Street at noon')
})
