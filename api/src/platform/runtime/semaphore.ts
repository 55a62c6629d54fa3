/** Lets work in, first come first served, while there is room for it: together at most so much at a time. */
export function room(size: number) {
  let free = size
  const waiting: { weight: number; admit: () => void }[] = []
  function admitNext(): void {
    for (let next = waiting[0]; next && next.weight <= free; next = waiting[0]) {
      waiting.shift()
      free -= next.weight
      next.admit()
    }
  }
  return async function inside<T>(weight: number, work: () => Promise<T>): Promise<T> {
    // What is larger than the room has it for itself.
    const taken = Math.min(weight, size)
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
