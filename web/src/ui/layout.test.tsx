import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { List, Row, Soft, Stack } from './layout.tsx'

test('each part is the element that it is told to be, with what that element takes', () => {
  render(
    <Stack as="section" gap={3} aria-label="Times" className="own">
      <Row as="p" gap={2} align="center" wrap between>
        <Soft as="time" small dateTime="2026-11-18">
          Wed, Nov 18
        </Soft>
      </Row>
      <List as="ol" gap={1} divided aria-label="Stops">
        <li>Depot</li>
      </List>
    </Stack>,
  )
  expect(screen.getByRole('region', { name: 'Times' })).toHaveClass('own')
  expect(screen.getByText('Wed, Nov 18')).toHaveAttribute('datetime', '2026-11-18')
  expect(screen.getByText('Wed, Nov 18').parentElement?.tagName).toBe('P')
  expect(screen.getByRole('list', { name: 'Stops' }).tagName).toBe('OL')
})

test('without a word about it they are the plain elements', () => {
  const { container } = render(
    <Stack>
      <Row>
        <Soft>soft</Soft>
      </Row>
      <List />
    </Stack>,
  )
  expect([...container.querySelectorAll('*')].map(({ tagName }) => tagName)).toEqual(['DIV', 'DIV', 'SPAN', 'UL'])
})
