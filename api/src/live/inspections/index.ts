import { keptFor, record } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { inspectionRoutes } from './routes.ts'

export { activeInspectionItems } from './items.ts'
export { inspectionsOfShifts } from './queries.ts'
export { certifyRepair } from './repairs.ts'
export { storeInspection } from './store.ts'

// By their arrival: one that came late is kept as long as any other.
const inspection = keptFor('keepInspectionsDays', 'created_at', {
  bound: 'Never less than 100 days after they arrived. A driver makes each, about one for each shift.',
})

export const inspectionModule = defineModule({
  name: 'live/inspections',
  tables: {
    inspection,
    inspection_item: record,
    inspection_result: { kept: inspection.kept, bound: inspection.bound },
  },
  nameColumns: { inspection: 'signed_by' },
  routes: inspectionRoutes,
})
