import { defineModule } from '../../platform/module.ts'
import { replayRoutes } from './routes.ts'

/** A shift, or a truck's day, minute by minute. */
export const replayModule = defineModule({
  name: 'proof/replay',
  routes: replayRoutes,
})
