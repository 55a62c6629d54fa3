import { campaignLinks, formatDay } from '@roadshow/contract'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { serve } from '../../platform/http/serve.ts'
import { createCampaignLink, endCampaignLink, linksOfProgram } from './links.ts'

/** Links to the public page of a campaign, for staff. */
export function linkRoutes(app: App, { env: { publicUrl } }: AppContext): void {
  const { audit } = app.kernel

  serve(app, campaignLinks.list, async ({ db, params: { uid } }) => ({ data: await linksOfProgram(db, uid) }))

  serve(app, campaignLinks.create, async ({ db, scope, body, request }) => {
    const { path, link, subject } = await createCampaignLink(db, scope, body)
    const detail = `until ${formatDay(link.expiresAt.slice(0, 10))} · positions ${link.delayMinutes} min late`
    await audit(request, { kind: 'campaignLinkCreated', actorUid: scope.actor.uid, subject, detail })
    return { data: { url: `${publicUrl}${path}`, link } }
  })

  serve(app, campaignLinks.end, async ({ db, scope, params: { uid }, request }) => {
    const { link, isEnded, subject } = await endCampaignLink(db, scope, uid)
    if (isEnded) await audit(request, { kind: 'campaignLinkEnded', actorUid: scope.actor.uid, subject })
    return { data: link }
  })
}
