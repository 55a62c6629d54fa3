import { campaignLinks, campaigns, formatDay } from '@roadshow/contract'
import { exportPlays } from '../../live/plays/index.ts'
import type { AppContext } from '../../platform/context.ts'
import type { App } from '../../platform/http/app.ts'
import { byUid } from '../../platform/http/handlers.ts'
import { serve } from '../../platform/http/serve.ts'
import { parquetOf } from '../../platform/parquet/index.ts'
import { createCampaignLink, endCampaignLink, linksOfProgram } from './links.ts'
import { pageOfCampaigns } from './queries.ts'
import { campaignTrucks } from './trucks.ts'

/** The endpoints of campaigns, and of the links to their public pages. */
export function campaignRoutes(app: App, context: AppContext): void {
  const { publicUrl } = context.env
  const { audit } = app.kernel
  const parquet = parquetOf(context)

  serve(app, campaigns.list, ({ db, scope, query }) => pageOfCampaigns(db, scope, query))

  serve(app, campaigns.trucks, async ({ db, scope, query }) => ({
    data: await campaignTrucks(db, scope, query.program),
  }))

  serve(app, campaigns.adLog, ({ db, scope, params: { uid } }) =>
    exportPlays({ db, parquet }, scope, { program: [uid], sort: 'startedAt', page: 1, pageSize: 1, format: 'csv' }),
  )

  serve(app, campaignLinks.list, byUid(linksOfProgram))

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
