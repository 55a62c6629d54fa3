import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { DrawnTruck } from './DrawnTruck.tsx'

afterEach(cleanup)

const letters = (says: string) => {
  const { container } = render(<DrawnTruck says={says} />)
  const lines = [...container.querySelectorAll('tspan')].map((line) => line.textContent)
  return { lines, size: Number(container.querySelector('text')?.getAttribute('font-size')) }
}

test('a short name stands on one line, as large as letters get', () => {
  expect(letters('Acme')).toEqual({ lines: ['Acme'], size: 50 })
})

test('a long name is broken between words and keeps all of them', () => {
  const { lines, size } = letters('Metropolitan Mobile Advertising')
  expect(lines).toEqual(['Metropolitan', 'Mobile', 'Advertising'])
  expect(size).toBeGreaterThan(20)
})

test('the drawing has a name where it says something, and is silent decoration elsewhere', () => {
  render(<DrawnTruck title="Truck 12, driver side" />)
  expect(screen.getByRole('img', { name: 'Truck 12, driver side' })).toBeInTheDocument()
  cleanup()
  const { container } = render(<DrawnTruck />)
  expect(container.querySelector('svg')?.getAttribute('aria-hidden')).toBe('true')
})
