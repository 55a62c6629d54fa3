import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { useState } from 'react'
import { DayPicker } from './DayPicker.tsx'

const user = userEvent.setup({ delay: null })

function Form({ other }: { other: number }) {
  const [day, setDay] = useState<string | null>('2026-11-23')
  return (
    <>
      <DayPicker aria-label="Day" value={day} onChange={setDay} />
      <p>{`${day}, drawn ${other} times`}</p>
    </>
  )
}

test('a day that is being typed stays when the form is drawn again', async () => {
  const { rerender } = render(<Form other={1} />)
  const field = screen.getByLabelText('Day')
  await user.clear(field)
  await user.type(field, '2031-07-14')
  rerender(<Form other={2} />)
  await user.keyboard('{Enter}')
  expect(await screen.findByText('2031-07-14, drawn 2 times')).toBeInTheDocument()
})
