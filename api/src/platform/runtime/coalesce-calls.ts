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

/** Coalesces concurrent calls that have the same key, and so do the same work. */
export function coalesceCallsByKey<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const calls = new Map<string, { ask: () => Promise<T>; callers: number }>()
  return async (key, work) => {
    const call = calls.get(key) ?? { ask: coalesceCalls(work), callers: 0 }
    calls.set(key, call)
    call.callers++
    try {
      return await call.ask()
    } finally {
      call.callers--
      if (call.callers === 0) calls.delete(key)
    }
  }
}
