import { partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { programRoutes } from './routes.ts'

export { programSheet } from './export.ts'
export { bookedLineJson, isProgramOf, programRecords, programText } from './queries.ts'
export { createProgram, removeProgram, updateProgram } from './save.ts'

export const programModule = defineModule({
  name: 'catalog/programs',
  tables: {
    client_program: record,
    program_market: partOfRecord,
    booked_line: partOfRecord,
  },
  routes: programRoutes,
})
