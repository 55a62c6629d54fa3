import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import type { ComponentType } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lazyOverlay, lazyPart } from './lazyPart.tsx'
import { Notices } from './notices.tsx'
import { lazyForm, RecordDrawer } from './record/RecordDrawer.tsx'

const user = userEvent.setup({ delay: null })
const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)

const missing = async (): Promise<never> => {
  throw new Error('error loading dynamically imported module')
}

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({}))
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  cleanup()
  reload.mockClear()
})

test('a part waits in its place, and one that cannot be loaded leaves what is around it', async () => {
  let arrive = () => {}
  const loaded = new Promise<{ default: ComponentType }>((resolve) => {
    arrive = () => resolve({ default: () => <p>Here</p> })
  })
  const Later = lazyPart(() => loaded, { waiting: () => 'Waiting' })
  const Missing = lazyPart(missing)
  render(
    <>
      <p>The live map</p>
      <Later />
      <Missing />
    </>,
  )
  expect(screen.getByText('Waiting')).toBeInTheDocument()
  await user.click(await screen.findByRole('button', { name: 'Retry' }))
  expect(reload).toHaveBeenCalledOnce()
  arrive()
  await screen.findByText('Here')
  expect(screen.getByText('The live map')).toBeInTheDocument()
})

test('a dialog that cannot be loaded says so each time, and counts as closed', async () => {
  const Dialog = lazyOverlay<{ open: boolean; onClose: () => void }>(missing)
  const Screen = () => {
    const [open, setOpen] = useState(false)
    return (
      <Notices>
        <button type="button" onClick={() => setOpen(true)}>
          {open ? 'Open' : 'Closed'}
        </button>
        <Dialog open={open} onClose={() => setOpen(false)} />
      </Notices>
    )
  }
  render(<Screen />)
  for (let time = 0; time < 2; time++) {
    await user.click(await screen.findByRole('button', { name: 'Closed' }))
    await user.click(await screen.findByRole('button', { name: 'Reload' }))
    expect(screen.queryByText('This part could not be loaded.')).toBeNull()
  }
  expect(reload).toHaveBeenCalledTimes(2)
})

test('the form of a record that cannot be loaded says so in its drawer', async () => {
  const onClose = vi.fn<() => void>()
  render(<RecordDrawer form={lazyForm(missing)} open="new" onClose={onClose} />)
  const drawer = await screen.findByRole('dialog', { name: 'Not loaded' })
  await waitFor(() => expect(drawer).toHaveTextContent('Retry'))
})
