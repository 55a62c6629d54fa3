export { deviceByKey } from './pairing.ts'
export { HAS_PAIRED_PLAYER, removeDevicesOf } from './queries.ts'
export { deviceRoutes } from './routes.ts'
