import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { useState } from 'react'
import { ClockInput } from './ClockInput.tsx'
import { DayPicker } from './DayPicker.tsx'

const user = userEvent.setup({ delay: null })
afterEach(cleanup)

function Form({ other, isDraft = false }: { other: number; isDraft?: boolean }) {
  const [day, setDay] = useState<string | null>('2026-11-23')
  return (
    <>
      <DayPicker aria-label="Day" isDraft={isDraft} value={day} onChange={setDay} />
      <p>{`${day}, drawn ${other} times`}</p>
    </>
  )
}

test('a day that is being typed stays when the form is drawn again, and says what was understood', async () => {
  const { rerender } = render(<Form other={1} />)
  const field = screen.getByLabelText('Day')
  expect(field).toHaveValue('Nov 23, 2026')
  await user.clear(field)
  await user.type(field, '7/14/31')
  expect(screen.getByRole('status')).toHaveTextContent('Mon, Jul 14, 2031')
  rerender(<Form other={2} />)
  await user.keyboard('{Enter}')
  expect(await screen.findByText('2031-07-14, drawn 2 times')).toBeInTheDocument()
  expect(field).toHaveValue('Jul 14, 2031')
})

test('what is no day stays in the field with a sentence, and Escape gives it up', async () => {
  render(<Form other={1} />)
  const field = screen.getByLabelText('Day')
  await user.clear(field)
  await user.type(field, '13/40/2026')
  await user.tab()
  expect(field).toHaveValue('13/40/2026')
  expect(screen.getByRole('status')).toHaveTextContent('Month 13 does not exist. Dates are read as month/day/year.')
  expect(screen.getByText('2026-11-23, drawn 1 times')).toBeInTheDocument()
  await user.click(field)
  await user.keyboard('{Escape}')
  expect(field).toHaveValue('Nov 23, 2026')
})

test('a draft has no day while its field holds none', async () => {
  render(<Form other={1} isDraft />)
  const field = screen.getByLabelText('Day')
  await user.clear(field)
  await user.type(field, 'soon')
  await user.tab()
  expect(field).toHaveValue('soon')
  expect(screen.getByText('null, drawn 1 times')).toBeInTheDocument()
})

test('the calendar sets a day, and an emptied field clears it', async () => {
  render(<Form other={1} />)
  await user.click(screen.getByRole('button', { name: 'Calendar' }))
  await user.click(await screen.findByText('27'))
  expect(screen.getByText('2026-11-27, drawn 1 times')).toBeInTheDocument()
  await user.clear(screen.getByLabelText('Day'))
  await user.tab()
  expect(screen.getByText('null, drawn 1 times')).toBeInTheDocument()
})

test.each([
  ['8p', '20:00'],
  ['830pm', '20:30'],
  ['20:00', '20:00'],
  ['25:00', '25:00'],
])('a time typed as %s is %s', async (typed, value) => {
  const onChange = vi.fn<(time: string) => void>()
  render(<ClockInput id="time" value="08:00" onChange={onChange} />)
  const field = screen.getByRole('textbox')
  expect(field).toHaveValue('8:00 AM')
  await user.clear(field)
  await user.type(field, typed)
  await user.tab()
  expect(onChange).toHaveBeenCalledExactlyOnceWith(value)
})
