import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A step of a W3C trace: a call, or a run of a job. */
export interface Trace {
  traceId: string
  /** This step, which is the parent of the requests that it sends. */
  spanId: string
  flags: string
}

// Later versions may append fields; the version ff and ids of zeros are invalid.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Node keeps random bytes ready for UUIDs: asking for others costs many times as much. */
const newId = (digits: number) => randomUUID().replaceAll('-', '').slice(0, digits)

const NOT_SAMPLED = '00'

/** Begins a trace. */
export const newTrace = (): Trace => ({ traceId: newId(32), spanId: newId(16), flags: NOT_SAMPLED })

/** Continues the trace of a `traceparent` header; a header that is missing or invalid begins a new trace. */
export function continueTrace(header: unknown): Trace {
  if (typeof header !== 'string') return newTrace()
  const [, version, traceId, , flags = NOT_SAMPLED, more] = TRACEPARENT.exec(header) ?? []
  const isValid = traceId !== undefined && !(version === '00' && more !== undefined)
  return isValid ? { traceId, spanId: newId(16), flags } : newTrace()
}

const ofCalls = new WeakMap<IncomingMessage, Trace>()

/**
 * The trace that a call is part of: the caller's, or its own. It is made when first asked for, and handed on by name: a
 * context that follows all asynchronous work would make every promise of the process dearer.
 */
export function traceOf(call: IncomingMessage): Trace {
  const known = ofCalls.get(call)
  if (known) return known
  const trace = continueTrace(call.headers['traceparent'])
  ofCalls.set(call, trace)
  return trace
}

/** The header that continues a trace elsewhere. */
export const traceparent = ({ traceId, spanId, flags }: Trace): string => `00-${traceId}-${spanId}-${flags}`
