import type { Browser } from '@playwright/test'

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** In microseconds of the processor, which a busy machine does not stretch. */
  tdur?: number
  args?: { data?: { url?: string } }
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
  // Where scripts of the page run is its own thread; the browser has pages of its own, which are not ours to speed up.
  const calls = events.filter(({ name, args }) => name === 'FunctionCall' && args?.data?.url?.startsWith('http'))
  const threads = new Set(calls.map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && threads.has(`${pid} ${tid}`))
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
