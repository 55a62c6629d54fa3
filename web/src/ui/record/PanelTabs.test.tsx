import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { PanelTabs } from './PanelTabs.tsx'

afterEach(cleanup)

const tabs = [
  { key: 'one', label: 'Needs attention', children: <p>Two trucks</p> },
  { key: 'two', label: 'All trucks', children: <input aria-label="Find a truck" /> },
]

test('a tab is drawn when it is first opened, and keeps what was typed into it', async () => {
  const user = userEvent.setup()
  render(<PanelTabs tabs={tabs} />)
  expect(screen.getByRole('tabpanel', { name: 'Needs attention' })).toHaveTextContent('Two trucks')
  expect(screen.queryByLabelText('Find a truck')).toBeNull()
  await user.click(screen.getByRole('tab', { name: 'All trucks' }))
  await user.type(screen.getByLabelText('Find a truck'), 'T-7')
  await user.click(screen.getByRole('tab', { name: 'Needs attention' }))
  expect(screen.getByRole('tab', { name: 'Needs attention', selected: true })).toBeVisible()
  await user.click(screen.getByRole('tab', { name: 'All trucks' }))
  expect(screen.getByLabelText('Find a truck')).toHaveValue('T-7')
})

test('the arrow keys go around the tabs, Enter opens one, and only the open one is a tab stop', async () => {
  const user = userEvent.setup()
  render(<PanelTabs tabs={tabs} />)
  await user.tab()
  expect(screen.getByRole('tab', { name: 'Needs attention' })).toHaveFocus()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('tab', { name: 'All trucks' })).toHaveFocus()
  expect(screen.getByRole('tab', { name: 'Needs attention', selected: true })).toBeVisible()
  await user.keyboard('{Enter}')
  expect(screen.getByRole('tab', { name: 'All trucks', selected: true })).toBeVisible()
  await user.keyboard('{ArrowRight}')
  expect(screen.getByRole('tab', { name: 'Needs attention' })).toHaveFocus()
  await user.keyboard('{End}')
  expect(screen.getByRole('tab', { name: 'All trucks' })).toHaveFocus()
  expect(screen.getAllByRole('tab').map(({ tabIndex }) => tabIndex)).toEqual([-1, 0])
})
