export { startFeed } from './feed.ts'
export { liveTrucks, visibleTrucks } from './live.ts'
export { fleetRoutes } from './routes.ts'
export { watchFleet } from './watch.ts'
