export { weblogRoutes } from './routes.ts'
