import { publicPop } from '@roadshow/contract'
import type { App } from '../../../platform/http/app.ts'
import { serve } from '../../../platform/http/serve.ts'
import { publicDocument, publicFigures, publicMarketFigures, publicPdf, publicPicture } from './queries.ts'

/** Public endpoints of published pages. */
export function publicRoutes(app: App): void {
  serve(app, publicPop.milesDriven, async ({ db, query }) => ({ data: await publicFigures(db, query.popUrl) }))

  serve(app, publicPop.marketMilesDriven, async ({ db, query: { popUrl, market } }) => ({
    data: await publicMarketFigures(db, popUrl, market),
  }))

  serve(app, publicPop.document, ({ db, params, request }) =>
    publicDocument(db, params.popUrl, request.headers['if-none-match']),
  )

  serve(app, publicPop.picture, ({ db, params, request }) =>
    publicPicture(db, app.blobs, params, request.headers.range),
  )

  serve(app, publicPop.pdf, ({ db, params, request }) => publicPdf(db, app.blobs, params.popUrl, request.headers.range))
}
