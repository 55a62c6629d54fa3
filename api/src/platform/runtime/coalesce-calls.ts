const settled = () => {}

/**
 * Does a piece of work once for all who ask before it begins. Whoever asks while it is under way waits for the next
 * time, so that nobody is answered with what was so before they asked.
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
