import { newIdempotencyKey } from './call.ts'

/** A file as far as it can be told from another one without reading it. */
const describeFile = (_: string, value: unknown): unknown =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value

/**
 * The keys of a form that sends something new. The same input keeps its key until it is stored, so that it is stored once
 * even if the answer was lost. Another input has another key: the server refuses one key for two inputs.
 */
export function createIdempotencyKeys() {
  let kept: { input: string; key: string } | undefined
  return {
    keyFor(input: unknown): string {
      const text = JSON.stringify(input, describeFile)
      if (kept?.input !== text) kept = { input: text, key: newIdempotencyKey() }
      return kept.key
    },
    /** The input was stored: sent again, it is meant to be stored again. */
    forget: (): void => void (kept = undefined),
  }
}
