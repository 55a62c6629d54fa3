export { jumpRoutes } from './routes.ts'
