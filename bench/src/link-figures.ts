import { freePort } from '@roadshow/api/platform/db/embedded/server'
import { openBrowser } from './browser.ts'
import { shareTestCampaign } from './fill-campaign.ts'
import { lighthouseFigures, scriptBytes, weightFigure } from './page-figures.ts'
import { seeMap } from './pop-figures.ts'
import type { BenchFigure } from './report.ts'
import type { BenchWorld } from './world.ts'

const CONTENT = { photos: 50, routes: 20 }

/** The page of a campaign link with as many photos and routes as it shows at most: its scripts, and how Lighthouse grades it. */
export async function* measureCampaignLink(world: BenchWorld): AsyncGenerator<BenchFigure> {
  const url = await shareTestCampaign(world, 'link', CONTENT)
  const html = await (await fetch(url)).text()
  const shown = [html.split('class="photo"').length - 1, html.split('<path d="').length - 1]
  if (shown[0] !== CONTENT.photos || (shown[1] ?? 0) < CONTENT.routes)
    throw new Error(`The page of the link shows ${shown.join(' photos and ')} routes.`)
  const port = await freePort()
  const browser = await openBrowser(`--remote-debugging-port=${port}`)
  try {
    const guest = await browser.newContext()
    yield weightFigure('Campaign link, JavaScript with the map', await scriptBytes(guest, url, 'h1', seeMap), 120)
    const bars = { performance: 95, accessibility: 100, 'best-practices': 100 }
    yield* lighthouseFigures('Campaign link with 50 photos and 20 routes', url, port, bars)
  } finally {
    await browser.close()
  }
}
