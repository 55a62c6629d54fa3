import { sql } from 'kysely'
import { deleteOlder } from '../../platform/db/delete-older.ts'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { defineModule } from '../../platform/module.ts'
import { readSettings } from '../../catalog/settings/index.ts'
import { inspectionRoutes } from './routes.ts'

export { activeInspectionItems } from './items.ts'
export { inspectionsOfShifts } from './queries.ts'
export { certifyRepair } from './repairs.ts'
export { storeInspection } from './store.ts'

/** Ends reports as old as Settings say. By their arrival: one that came late is kept as long as any other. */
export const sweepInspections = defineJob('sweep-inspections', async ({ db, timeUp: signal }) => {
  const { keepInspectionsDays } = await readSettings(db)
  const before = sql`now() - make_interval(days => ${keepInspectionsDays})`
  await deleteOlder(db, 'inspection', { column: 'created_at', before, signal })
})

export const inspectionModule = defineModule({
  name: 'live/inspections',
  tables: ['inspection', 'inspection_item', 'inspection_result'],
  nameColumns: { inspection: 'signed_by' },
  routes: inspectionRoutes,
  jobs: [sweepInspections],
})
