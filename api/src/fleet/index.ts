export { liveTrucks, visibleTrucks } from './live.ts'
export { fleetRoutes } from './routes.ts'
export { fleetSockets } from './sockets.ts'
export { watchFleet } from './watch.ts'
