import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import * as shrinking from '../camera/shrinkPicture.ts'
import { AppContext } from '../context.ts'
import { someDay, someShift } from '../test-driver-day.ts'
import { memoryPhone, memoryServer, openApp } from '../test-phone.ts'
import InspectionPage from './InspectionPage.tsx'

const user = userEvent.setup({ delay: null })
const jpeg = (name: string) => new File(['x'], name, { type: 'image/jpeg' })

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** The inspection of a shift, and pictures that are ready when the test says so. */
async function openInspection(day = someDay()) {
  const server = memoryServer(new Map(), () => undefined)
  const app = openApp(memoryPhone().store, server.transport)
  app.holder.change({ day, userUid: 'dana' })
  const kept = vi.spyOn(app, 'keepDraft')
  const done = vi.spyOn(app, 'act').mockResolvedValue(true)
  const finish: (() => void)[] = []
  vi.spyOn(shrinking, 'shrinkPicture').mockImplementation(
    (content) => new Promise((resolve) => finish.push(() => resolve({ content, thumbnail: content }))),
  )
  render(
    <StrictMode>
      <AppContext value={app}>
        <InspectionPage values={{ uid: someShift().uid }} />
      </AppContext>
    </StrictMode>,
  )
  const item = async (name: string) => within(await screen.findByRole('group', { name }))
  return { done, item, kept, finishPicture: (index: number) => act(async () => finish[index]?.()) }
}

test('a picture that becomes ready changes nothing that was answered meanwhile', async () => {
  const { done, item, finishPicture } = await openInspection()
  await user.click((await item('Tires')).getByText('Defect'))
  await user.upload(screen.getByLabelText('Add a picture'), jpeg('tires.jpg'))
  await user.click((await item('Lights')).getByText('Defect'))
  const [, picture] = screen.getAllByLabelText('Add a picture')
  await user.upload(picture as HTMLElement, jpeg('lights.jpg'))
  await user.type(screen.getByLabelText('Type your name to sign'), 'Dana Brooks')
  const finish = screen.getByRole('button', { name: 'Finish inspection' })
  expect(finish).toBeDisabled()

  await finishPicture(1)
  expect(finish).toBeDisabled()
  await finishPicture(0)
  await user.click(finish)
  const [, inspection, pictures] = done.mock.calls[0] ?? []
  expect(inspection).toMatchObject({ items: [{ result: 'defect' }, { result: 'defect' }] })
  expect(pictures).toHaveLength(2)
})

test('an answer is written to the phone once, whichever way the page is drawn', async () => {
  const { item, kept } = await openInspection()
  await user.click((await item('Tires')).getByText('OK'))
  await user.click((await item('Lights')).getByText('OK'))
  expect(kept.mock.calls.map(([, draft]) => Object.keys((draft as { answers: object }).answers).length)).toEqual([1, 2])
})

test('only what some trucks lack can be missing', async () => {
  const [tires, lights] = someDay().inspectionItems
  const { item } = await openInspection({
    ...someDay(),
    inspectionItems: [{ ...tires!, isOnEveryTruck: true }, lights!],
  })
  expect((await item('Tires')).queryByText('Not on this truck')).toBeNull()
  expect((await item('Lights')).getByText('Not on this truck')).toBeInTheDocument()
})
