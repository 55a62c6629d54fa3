import { keptFor } from '../lifetimes/lifetime.ts'
import { defineModule } from '../module.ts'
import { UNDO_HOURS } from '@roadshow/contract'
import { importRoutes } from './routes.ts'
import { forgetWaysBack } from './runs.ts'

export { isWrong } from './check-records.ts'
export { namesIn, refuseWhileUsed, someNames } from './in-use.ts'
export { asText, type Cells, type ReadCell, type ReadRow } from './read-rows.ts'
export { bySchema, filledOr, named, readDate, valueOf, valueOr } from './values.ts'
export { recordImport } from './record-import.ts'
export { importTemplate } from './template.ts'

export const importModule = defineModule({
  name: 'platform/imports',
  tables: {
    import_run: {
      ...keptFor('90 days', 'at', {
        bound: `Imports, a row for each that a person makes. What each changed, of at most 20,000 rows, is forgotten after ${UNDO_HOURS} hours.`,
      }),
      also: forgetWaysBack,
    },
    import_headings: keptFor('400 days', 'at', {
      since: 'they were chosen',
      bound: 'One row for each set of headings whose columns a person chose.',
    }),
  },
  routes: importRoutes,
})
