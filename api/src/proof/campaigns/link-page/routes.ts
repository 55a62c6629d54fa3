import { CAMPAIGN_PAGE, publicCampaign } from '@roadshow/contract'
import type { Db } from '../../../platform/db/connection.ts'
import { sendBlob } from '../../../platform/files/index.ts'
import type { App } from '../../../platform/http/app.ts'
import { serve } from '../../../platform/http/serve.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { isApprovedPicture, pictureBlob } from '../../photos/index.ts'
import { findOpenLink, type OpenLink } from '../links.ts'
import { loadLive } from './content.ts'
import { liveTexts } from './words.ts'

// Long enough for one look at the page; a copy outlives the link no longer.
const PICTURE_SECONDS = 10 * 60

const [BEFORE_TOKEN = ''] = publicCampaign.live.path.split('{token}')

/** The address of a call or a page without the token that makes it private. */
export const hideCampaignToken = (url: string): string =>
  url.replace(new RegExp(`(${CAMPAIGN_PAGE}|/${BEFORE_TOKEN})[^/?#]+`), '$1…')

async function requireOpenLink(db: Db, token: string): Promise<OpenLink> {
  const link = await findOpenLink(db, token)
  if (!link) throw new AppError('notFound')
  return link
}

/** Public calls of campaign links. */
export function linkPageRoutes(app: App): void {
  serve(app, publicCampaign.live, async ({ db, params: { token } }) => {
    const live = await loadLive(db, await requireOpenLink(db, token))
    if (!live) throw new AppError('notFound')
    return { data: liveTexts(live) }
  })

  serve(app, publicCampaign.picture, async ({ db, params: { token, key, size }, request }) => {
    const { programUid } = await requireOpenLink(db, token)
    if (!(await isApprovedPicture(db, programUid, key))) throw new AppError('notFound')
    return sendBlob(app.blobs, pictureBlob(key, size), {
      name: `${key}.webp`,
      type: 'image/webp',
      range: request.headers.range,
      cacheSeconds: PICTURE_SECONDS,
    })
  })
}
