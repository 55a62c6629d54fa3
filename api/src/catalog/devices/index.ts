export { authenticateDevice } from './pairing.ts'
export {
  assignMissingKeys,
  HAS_PAIRED_PLAYER,
  removeDevicesOfTruck,
  recordDeviceContact,
  devicesWithCurrentKey,
} from './queries.ts'
export { deviceRoutes } from './routes.ts'
