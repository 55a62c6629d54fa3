import { rotations } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { partOfRecord } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { readRotation } from './queries.ts'
import { saveRotation } from './save.ts'

export { loadRotations, shownSets, type StoredLine } from './queries.ts'

/** What the screens of a program show in turn. Players get it with each shift that names no artwork set of its own. */
export const rotationModule = defineModule({
  name: 'planning/rotation',
  tables: { rotation_line: partOfRecord },
  dbErrors: { rotation_line_of_program: 'stillNeeded' },
  routes: (app) => {
    serve(app, rotations.get, async ({ db, scope, params }) => ({ data: await readRotation(db, scope, params.uid) }))
    serve(app, rotations.save, async ({ db, scope, params, body }) => ({
      data: await saveRotation(db, scope, params.uid, body),
    }))
  },
})
