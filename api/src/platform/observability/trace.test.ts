import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { continueTrace, traceOf, traceparent } from './trace.ts'

const [TRACE, SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']

test('a valid header is continued by a step of its own', () => {
  const { traceId, spanId, flags } = continueTrace(`00-${TRACE}-${SPAN}-01`)
  expect([traceId, flags]).toEqual([TRACE, '01'])
  expect(spanId).toMatch(/^[0-9a-f]{16}$/)
  expect(spanId).not.toBe(SPAN)
  // A later version may append fields.
  expect(continueTrace(`cc-${TRACE}-${SPAN}-01-what-the-future-holds`).traceId).toBe(TRACE)
})

test.each([
  undefined,
  ['a', 'b'],
  '',
  'rubbish',
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}-01-more`,
])('%j begins a new trace', (header) => {
  const { traceId, flags } = continueTrace(header)
  expect(traceId).toMatch(/^[0-9a-f]{32}$/)
  expect([traceId === TRACE, flags]).toEqual([false, '00'])
})

test('all that asks for the trace of a call gets the same one', () => {
  const call = (traceparent?: string) => ({ headers: { traceparent } }) as unknown as IncomingMessage
  const [traced, other] = [call(`00-${TRACE}-${SPAN}-01`), call()]
  const trace = traceOf(traced)
  expect(traceOf(traced)).toBe(trace)
  expect(traceparent(trace)).toBe(`00-${TRACE}-${trace.spanId}-01`)
  expect(trace.spanId).not.toBe(SPAN)
  expect(traceOf(other)).toBe(traceOf(other))
  expect(traceOf(other).traceId).not.toBe(traceOf(call()).traceId)
})
