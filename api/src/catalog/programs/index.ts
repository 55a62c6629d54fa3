import { partOfRecord, record } from '../../platform/lifetimes/lifetime.ts'
import { recordsOf } from '../in-use/index.ts'
import { defineModule } from '../../platform/module.ts'
import { programImport } from './import.ts'
import { programRoutes } from './routes.ts'

export { programSheet } from './export.ts'
export { findProgram, loadProgramsByName, type ProgramsByName } from './named.ts'
export { bookedLineJson, isProgramOf, programRecords, programText } from './queries.ts'
export { createProgram, programDeletion, updateProgram } from './save.ts'

export const programModule = defineModule({
  name: 'catalog/programs',
  tables: {
    client_program: record,
    program_market: partOfRecord,
    booked_line: partOfRecord,
  },
  routes: programRoutes,
  imports: [programImport],
  dependents: [
    recordsOf('programs', 'client_program', {
      client: { column: 'client_uid', screen: (uid) => `/client-programs?client=${uid}` },
    }),
  ],
})
