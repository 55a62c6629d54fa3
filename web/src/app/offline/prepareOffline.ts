import { connection } from '../../api/connection.ts'

const WORKER = '/console-worker.js'
const ASSETS = '/console-assets.json'

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** One after the other and after everything else, so that the user's own requests come first. */
async function loadAhead(): Promise<void> {
  const answer = await fetch(ASSETS)
  if (!answer.ok) return
  for (const path of (await answer.json()) as string[]) {
    if (connection.isAway()) return
    // Names carry a hash of their content: the browser keeps what it got.
    await (await fetch(path, { priority: 'low' })).arrayBuffer()
  }
  performance.mark('loaded-ahead')
}

/** Lets screens open without network, and shows a page of our own where a page can't be loaded. */
export async function prepareOffline(): Promise<void> {
  try {
    if ('serviceWorker' in navigator)
      await navigator.serviceWorker.register(WORKER, { scope: '/', updateViaCache: 'none' })
    if (!savesData()) await loadAhead()
  } catch {
    // Without it the console works as long as there is a network.
  }
}
