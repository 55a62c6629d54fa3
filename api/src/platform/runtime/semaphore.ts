/**
 * Limits concurrent work by weight, first come first served: the weights of running work add up to at most `capacity`.
 * Work that is heavier than the capacity runs alone.
 */
export function semaphore(capacity: number) {
  let free = capacity
  const waiting: { weight: number; admit: () => void }[] = []
  function admitNext(): void {
    for (let next = waiting[0]; next && next.weight <= free; next = waiting[0]) {
      waiting.shift()
      free -= next.weight
      next.admit()
    }
  }
  return async function run<T>(weight: number, work: () => Promise<T>): Promise<T> {
    const taken = Math.min(weight, capacity)
    await new Promise<void>((admit) => {
      waiting.push({ weight: taken, admit })
      admitNext()
    })
    try {
      return await work()
    } finally {
      free += taken
      admitNext()
    }
  }
}
