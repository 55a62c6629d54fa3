export { truckRoutes } from './routes.ts'
