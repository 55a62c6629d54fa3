import { isPublicPath } from '@roadshow/contract'
import type { AppContext } from '../../../platform/context.ts'
import { preparedPage, type PreparedPage, type PublicPages } from '../../../platform/http/pages.ts'
import { RecentlyUsed } from '../../../platform/runtime/recently-used.ts'
import type { PopOpening } from '../publication/opening.ts'
import { type Company, missingPage, passwordPage } from './notices.ts'
import { popPage, publicPictureUrl } from './page.ts'
import { countView, type PageRequest, shownVersion } from './queries.ts'

// Pages of busy programs are requested often, and a version never changes.
const CACHED = 50

/** The public page by the name in its address; undefined if there is none, for whatever reason. */
function publicPageCache({ db, reads, env }: AppContext, company: Company) {
  const { publicUrl, allowIndexing: isIndexed = false } = env
  const cached = new RecentlyUsed<PreparedPage>(CACHED)
  const { shell } = company

  return async (request: PageRequest, isOpened: boolean): Promise<PreparedPage | undefined> => {
    const version = await reads.read((db) => shownVersion(db, request))
    if (!version) return undefined
    if (version.isLocked) return { ...preparedPage(passwordPage(company)), status: 403, isPrivate: true }
    if (isOpened) await countView(db, version.programUid)
    const key = `${version.programUid} ${version.number}`
    const page = cached.get(key) ?? prepared(version)
    cached.set(key, page)
    return version.isPrivate ? { ...page, isPrivate: true } : page
  }

  function prepared({ opening, sha256 }: { opening: string; sha256: string }): PreparedPage {
    const document = JSON.parse(opening) as PopOpening
    const pictureUrl = publicPictureUrl(document.popUrl)
    return preparedPage(popPage(document, { shell, publicUrl, pictureUrl, isPreview: false, isIndexed, sha256 }))
  }
}

/** The name in the address of a public page. */
function publicName(pathname: string): string | undefined {
  const segment = /^\/(?:pop|programs)\/([^/]+)\/?$/.exec(pathname)?.[1]
  if (segment === undefined) return undefined
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** The name may change while this node runs. */
const companyWith = (shell: string, env: AppContext['env']): Company => ({
  shell,
  contactEmail: env.contactEmail,
  get brand() {
    return env.brandName
  },
})

/** The public pages of POPs. There is nothing to show where the web app is not built. */
export async function popPages(context: AppContext): Promise<PublicPages> {
  const shell = await context.entryHtml('pop.html')
  const { env } = context
  const company = shell === undefined ? undefined : companyWith(shell, env)
  const pageOf = company && publicPageCache(context, company)
  return {
    matches: (pathname) => /^\/(pop|programs)\/./.test(pathname) && isPublicPath(pathname),
    async render(pathname, isOpened, visitor) {
      const popUrl = publicName(pathname)
      return (
        (popUrl !== undefined && (await pageOf?.({ popUrl, visitor }, isOpened))) || (company && missingPage(company))
      )
    },
  }
}
