const settled = () => {}

/**
 * Coalesces concurrent calls: callers that arrive before a run starts share its result. Callers that arrive during a run
 * wait for the next one, so that no result is older than its call.
 */
export function coalesceCalls<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= last.then(settled, settled).then(() => {
      next = undefined
      return work()
    })
    last = next
    return next
  }
}
