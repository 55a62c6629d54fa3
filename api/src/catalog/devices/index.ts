export { deviceByKey } from './pairing.ts'
export { giveKeys, HAS_PAIRED_PLAYER, removeDevicesOf, seen, stillPaired } from './queries.ts'
export { deviceRoutes } from './routes.ts'
