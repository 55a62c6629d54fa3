import { CAMPAIGN_PAGE } from '@roadshow/contract'
import type { AppContext } from '../../../platform/context.ts'
import { sharedNow } from '../../../platform/db/clock.ts'
import type { Db } from '../../../platform/db/connection.ts'
import { preparedPage, type PublicPages } from '../../../platform/http/pages.ts'
import { RecentlyUsed } from '../../../platform/runtime/recently-used.ts'
import { loadRecentRoutes } from '../../pop/index.ts'
import { countLinkView, findOpenLink, type OpenLink } from '../links.ts'
import { loadContent } from './content.ts'
import { endedLinkPage, linkPage } from './page.ts'

const MOST_ROUTES = 20
// A route is that of a shift that is over, and drawing it reads every fix.
const ROUTES_KEPT_MS = 10 * 60_000
const PROGRAMS_KEPT = 50

type Routes = Map<string, string[]>

/** The routes of the last shifts of a program, read once in a while. */
function routeCache(db: Db) {
  const known = new RecentlyUsed<{ readAt: number; routes: Promise<Routes> }>(PROGRAMS_KEPT)
  return async ({ programUid, delayMinutes }: OpenLink, now: number): Promise<Routes> => {
    const key = `${programUid} ${delayMinutes}`
    const found = known.get(key)
    if (found && now - found.readAt < ROUTES_KEPT_MS) return found.routes
    const overAt = new Date(now - delayMinutes * 60_000)
    const routes = loadRecentRoutes(db, programUid, { most: MOST_ROUTES, overAt })
    known.set(key, { readAt: now, routes })
    // A failure is not kept.
    routes.catch(() => known.set(key, { readAt: 0, routes }))
    return routes
  }
}

const isLinkPath = (pathname: string) => pathname.startsWith(CAMPAIGN_PAGE)

/** The pages of campaign links. Whether a link is open is asked in the database each time. */
export async function campaignPages({ db, env, entryHtml }: AppContext): Promise<PublicPages> {
  const shell = await entryHtml('campaign.html')
  if (shell === undefined) return { matches: isLinkPath, render: async () => undefined }
  const routesOf = routeCache(db)
  const { contactEmail } = env
  const missing = () => ({
    ...preparedPage(endedLinkPage(shell, { brand: env.brandName, contactEmail })),
    status: 404,
    isPrivate: true,
  })
  return {
    matches: isLinkPath,
    async render(pathname, isOpened) {
      const token = pathname.slice(CAMPAIGN_PAGE.length)
      const link = await findOpenLink(db, token)
      const content = link && (await loadContent(db, link))
      if (!content) return missing()
      const routes = await routesOf(link, await sharedNow(db))
      if (isOpened) await countLinkView(db, link.uid)
      const page = linkPage(content, { shell, brand: env.brandName, contactEmail, token, routes })
      return { ...preparedPage(page), isPrivate: true }
    },
  }
}
