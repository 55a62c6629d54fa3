import { defineModule } from '../../platform/module.ts'
import { deviceRoutes } from './routes.ts'
import { sweepScreenPairings } from './screen-pairing.ts'

export { authenticateDevice } from './pairing.ts'
export {
  assignMissingKeys,
  deviceRecords,
  HAS_PAIRED_PLAYER,
  removeDevicesOfTruck,
  recordDeviceContact,
  devicesWithCurrentKey,
} from './queries.ts'

export const deviceModule = defineModule({
  name: 'catalog/devices',
  tables: ['device', 'device_seen', 'screen_pairing'],
  routes: deviceRoutes,
  jobs: [sweepScreenPairings],
})
