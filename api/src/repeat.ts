/** Does a piece of work every so often until stopped; never twice at a time, and what fails is told and tried again. */
export function repeat(work: () => Promise<unknown>, everyMs: number, log: (error: unknown) => void) {
  let underWay: Promise<unknown> | undefined
  const timer = setInterval(() => {
    underWay ??= work()
      .catch(log)
      .finally(() => (underWay = undefined))
  }, everyMs)
  timer.unref()
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await underWay
    },
  }
}
