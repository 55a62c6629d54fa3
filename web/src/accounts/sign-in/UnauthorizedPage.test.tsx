import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { keepSession } from '../../api/session.ts'
import { UnauthorizedPage } from './UnauthorizedPage.tsx'

const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)

afterEach(cleanup)

test('signing out ends the session on the server and keeps nothing here, even if the server does not answer', async () => {
  const server = vi.fn<typeof fetch>().mockRejectedValue(new TypeError('Failed to fetch'))
  vi.stubGlobal('fetch', server)
  keepSession('a-token', 'somebody')
  render(<UnauthorizedPage />)
  await userEvent.click(screen.getByRole('button', { name: 'Sign out' }))

  await waitFor(() => expect(assign).toHaveBeenCalledWith('/login'))
  expect(server.mock.calls[0]?.[0]).toBe('/api/v1/authentication/logout')
  expect(document.cookie).not.toContain('a-token')
  expect(localStorage).toHaveLength(0)
})
