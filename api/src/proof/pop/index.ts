import { type Lifetime, figures, partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { pageDependents } from './dependents.ts'
import { editorRoutes } from './editor/routes.ts'
import { makePdfsJob } from './pdf/job.ts'
import { popPages } from './public-page/pages.ts'
import { passwordRoutes } from './public-page/password.ts'
import { publicRoutes } from './public-page/routes.ts'

export { popSheet } from './editor/export.ts'
export { withoutScripts } from './editor/preview.ts'
export { popRecordsFor } from './editor/queries.ts'
export { milesDriven, savePopMarkets, updatePop } from './editor/save.ts'
export { daysChart } from './public-page/parts/chart.ts'
export { figureNotes } from './public-page/parts/hero.ts'
export { lightbox } from './public-page/parts/lightbox.ts'
export { paragraphs } from './public-page/parts/chapter.ts'
export { coverImage, photoFigure, type PictureUrl } from './public-page/parts/photo.ts'
export { routeDrawing } from './public-page/parts/route.ts'
export { sumDays } from './publication/day-table.ts'
export { loadPopFigures, loadProgramDays } from './publication/figures.ts'
export { loadPopMarkets, writePopMarkets } from './publication/markets.ts'
export { publicAddress } from './public-page/page.ts'
export { popRows } from './publication/pop-rows.ts'
export { publishPop } from './publication/publish.ts'
export type { LatLng } from './publication/polyline.ts'
export { AROUND_END_M, isNearDepot, loadRecentRoutes } from './publication/route-lines.ts'
export { publicVersion } from './publication/versions.ts'
export { listMarkets } from './publication/words.ts'

const published: Lifetime<never> = {
  kept: 'for good',
  bound: 'Published versions of POPs and their pictures, which clients rely on. A person publishes each.',
}

export const popModule = defineModule({
  name: 'proof/pop',
  tables: {
    pop: record,
    pop_market: partOfRecord,
    pop_version: published,
    pop_version_picture: published,
    pop_view: figures,
    pop_password: partOfRecord,
  },
  routes: async (app, context) => {
    editorRoutes(app, { env: context.env, shell: await context.entryHtml('pop.html') })
    publicRoutes(app)
    await passwordRoutes(app, context)
  },
  jobs: [makePdfsJob],
  dependents: [pageDependents],
  pages: popPages,
})
