export { legacyRoutes } from './routes.ts'
