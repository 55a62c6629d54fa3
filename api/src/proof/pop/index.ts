import { defineModule } from '../../platform/module.ts'
import { makePdfsJob } from './pdf/job.ts'
import { popPages } from './public-page/pages.ts'
import { popRoutes } from './routes.ts'

export { popSheet } from './editor/export.ts'
export { popRecordsFor } from './editor/queries.ts'
export { milesDriven, savePopMarkets, updatePop } from './editor/save.ts'
export { sumDays } from './publication/day-table.ts'
export { loadPopFigures } from './publication/figures.ts'
export { popMarketNames, writePopMarkets } from './publication/markets.ts'
export { popRows } from './publication/pop-rows.ts'
export { publishPop } from './publication/publish.ts'
export { publicVersion } from './publication/versions.ts'

export const popModule = defineModule({
  name: 'proof/pop',
  tables: ['pop', 'pop_market', 'pop_version', 'pop_version_picture', 'pop_view', 'pop_password'],
  routes: popRoutes,
  jobs: [makePdfsJob],
  pages: popPages,
})
