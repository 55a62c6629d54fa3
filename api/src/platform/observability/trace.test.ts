import { expect, test } from 'vitest'
import { continueTrace, currentTraceId, inTrace, traceparent } from './trace.ts'

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

test('requests of one step name it, and those outside begin traces of their own', async () => {
  const trace = continueTrace(`00-${TRACE}-${SPAN}-01`)
  await inTrace(trace, async () => {
    await Promise.resolve()
    expect([currentTraceId(), traceparent()]).toEqual([TRACE, `00-${TRACE}-${trace.spanId}-01`])
  })
  expect(currentTraceId()).toBeUndefined()
  expect(traceparent()).not.toBe(traceparent())
})
