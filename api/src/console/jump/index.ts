import { jump, type JumpKind, jumpKinds, rowAccessFor } from '@roadshow/contract'
import { serve } from '../../platform/http/serve.ts'
import { defineModule } from '../../platform/module.ts'
import { findJumpTargets } from './queries.ts'
import { findShiftTargets } from './shifts.ts'

const kinds = Object.keys(jumpKinds) as JumpKind[]

export const jumpModule = defineModule({
  name: 'console/jump',
  routes: (app) =>
    serve(app, jump.search, async ({ db, scope: { actor }, query: { search, today } }) => {
      if (search === '') return { data: [] }
      // Each kind as far as the user would reach on its own screen, and not at all where that is closed to them.
      const found = kinds.flatMap((kind) => {
        const rows = rowAccessFor(actor, jumpKinds[kind].access)
        if (!rows) return []
        const scope = { rows, actor }
        return kind === 'shift'
          ? [findShiftTargets(db, scope, search, today)]
          : [findJumpTargets(db, scope, kind, search)]
      })
      return { data: (await Promise.all(found)).flat() }
    }),
})
