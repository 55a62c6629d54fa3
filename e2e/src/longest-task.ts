import type { Browser } from '@playwright/test'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** In microseconds of the processor, which a busy machine does not stretch. */
  tdur?: number
}

/** The longest task of a page's own thread while something is done, in milliseconds of the processor. */
export async function longestTask(browser: Browser, act: () => Promise<void>): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const includedCategories = ['toplevel', 'devtools.timeline']
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } })
  await act()
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve))
  await session.send('Tracing.end')
  await complete
  await session.detach()
  // Where scripts run is the page's own thread.
  const threads = new Set(events.filter(({ name }) => name === 'FunctionCall').map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
