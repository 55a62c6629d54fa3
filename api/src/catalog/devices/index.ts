import { current, keptUntil, record } from '../../platform/lifetimes/lifetime.ts'
import { recordsOf } from '../in-use/index.ts'
import { defineModule } from '../../platform/module.ts'
import { deviceRoutes } from './routes.ts'

export { authenticateDevice } from './pairing.ts'
export {
  assignMissingKeys,
  deviceRecords,
  HAS_PAIRED_PLAYER,
  removeDevicesOfTruck,
  restoreDevicesOfTruck,
  recordDeviceContact,
  devicesWithCurrentKey,
} from './queries.ts'

export const deviceModule = defineModule({
  name: 'catalog/devices',
  tables: {
    device: record,
    device_seen: current,
    screen_pairing: keptUntil('expires_at', {
      kept: '15 minutes',
      bound: 'Codes that screens show, at most 40 for each network.',
    }),
  },
  routes: deviceRoutes,
  dependents: [
    recordsOf('devices', 'device', {
      truck: { column: 'truck_uid', screen: (uid) => `/trucks?open=${uid}&tab=devices` },
    }),
  ],
})
