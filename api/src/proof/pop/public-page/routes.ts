import { publicPop } from '@roadshow/contract'
import type { App } from '../../../platform/http/app.ts'
import { serve } from '../../../platform/http/serve.ts'
import { shareImages } from '../share-image/send.ts'
import {
  publicDocument,
  publicFigures,
  publicMarketFigures,
  publicMethod,
  publicPdf,
  publicPicture,
} from './queries.ts'

/** Public endpoints of published pages. */
export function publicRoutes(app: App): void {
  const sendShareImage = shareImages(app.blobs)

  serve(app, publicPop.milesDriven, async ({ db, query: { popUrl }, request }) => ({
    data: await publicFigures(db, { popUrl, visitor: request }),
  }))

  serve(app, publicPop.marketMilesDriven, async ({ db, query: { popUrl, market }, request }) => ({
    data: await publicMarketFigures(db, { popUrl, visitor: request }, market),
  }))

  serve(app, publicPop.document, ({ db, params: { popUrl }, request }) =>
    publicDocument(db, { popUrl, visitor: request }),
  )

  serve(app, publicPop.picture, ({ db, params: { popUrl, ...picture }, request }) =>
    publicPicture(db, app.blobs, { popUrl, visitor: request }, picture),
  )

  serve(app, publicPop.shareImage, ({ db, params: { popUrl, number }, request }) =>
    sendShareImage(db, { popUrl, visitor: request }, number),
  )

  serve(app, publicPop.pdf, ({ db, params: { popUrl }, request }) =>
    publicPdf(db, app.blobs, { popUrl, visitor: request }),
  )
  serve(app, publicPop.method, ({ db, params: { popUrl, version }, request }) =>
    publicMethod(db, { popUrl, visitor: request }, version),
  )
}
