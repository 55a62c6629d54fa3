import { current, keptFor } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'
import { deviceChannels } from './channels.ts'
import { expireCommands, removePictures } from './commands.ts'
import { screenRoutes } from './screens.ts'

export { deviceChannels } from './channels.ts'
export { artworkOfShifts, loadApprovedSets } from './manifest.ts'

export const playerModule = defineModule({
  name: 'live/players',
  tables: {
    device_command: {
      ...keptFor('90 days', 'asked_at', {
        bound: 'Commands for players. A person gives each; pictures of screens are removed after an hour.',
      }),
      also: removePictures,
    },
    device_health: current,
  },
  routes: screenRoutes,
  jobs: [expireCommands],
  sockets: deviceChannels,
})
