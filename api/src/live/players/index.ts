import { defineModule } from '../../platform/module.ts'
import { deviceChannels } from './channels.ts'
import { expireCommands, sweepCommands } from './commands.ts'
import { screenRoutes } from './screens.ts'

export { deviceChannels } from './channels.ts'
export { artworkOfShifts } from './manifest.ts'

export const playerModule = defineModule({
  name: 'live/players',
  tables: ['device_command', 'device_health'],
  routes: screenRoutes,
  jobs: [expireCommands, sweepCommands],
  sockets: deviceChannels,
})
