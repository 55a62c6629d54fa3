export { artworkRoutes } from './routes.ts'
