import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import * as shrinking from '../camera/shrinkPicture.ts'
import { AppContext } from '../context.ts'
import { someDay, someShift } from '../test-driver-day.ts'
import { memoryPhone, memoryServer, openApp } from '../test-phone.ts'
import InspectionPage from './InspectionPage.tsx'

const user = userEvent.setup({ delay: null })
const jpeg = (name: string) => new File(['x'], name, { type: 'image/jpeg' })

afterEach(() => vi.restoreAllMocks())

/** The inspection of a shift, and pictures that are ready when the test says so. */
async function openInspection() {
  const server = memoryServer(new Map(), () => undefined)
  const app = openApp(memoryPhone().store, server.transport)
  app.holder.change({ day: someDay(), userUid: 'dana' })
  const done = vi.spyOn(app, 'act').mockResolvedValue(true)
  const finish: (() => void)[] = []
  vi.spyOn(shrinking, 'shrinkPicture').mockImplementation(
    (content) => new Promise((resolve) => finish.push(() => resolve({ content, thumbnail: content }))),
  )
  render(
    <AppContext value={app}>
      <InspectionPage values={{ uid: someShift().uid }} />
    </AppContext>,
  )
  const item = async (name: string) => within(await screen.findByRole('group', { name }))
  return { done, item, finishPicture: (index: number) => act(async () => finish[index]?.()) }
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
