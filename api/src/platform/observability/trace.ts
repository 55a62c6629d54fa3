import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** A step of a W3C trace: a call, or a run of a job. */
export interface Trace {
  traceId: string
  /** This step, which is the parent of the requests that it sends. */
  spanId: string
  flags: string
}

// Later versions may append fields; the version ff and ids of zeros are invalid.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

const newId = (bytes: number) => randomBytes(bytes).toString('hex')

const NOT_SAMPLED = '00'

/** Continues the trace of a `traceparent` header; a header that is missing or invalid begins a new trace. */
export function continueTrace(header: unknown): Trace {
  const [, version, traceId, , flags = NOT_SAMPLED, more] =
    TRACEPARENT.exec(typeof header === 'string' ? header : '') ?? []
  const isValid = traceId !== undefined && !(version === '00' && more !== undefined)
  return { traceId: isValid ? traceId : newId(16), spanId: newId(8), flags: isValid ? flags : NOT_SAMPLED }
}

const current = new AsyncLocalStorage<Trace>()

/** Runs work as a step of a trace: its log lines and the requests that it sends name it. */
export const inTrace = <T>(trace: Trace, work: () => T): T => current.run(trace, work)

export const currentTraceId = (): string | undefined => current.getStore()?.traceId

/** The header that continues the trace of the running work elsewhere; a new trace where there is none. */
export function traceparent(): string {
  const { traceId, spanId, flags } = current.getStore() ?? continueTrace(undefined)
  return `00-${traceId}-${spanId}-${flags}`
}
