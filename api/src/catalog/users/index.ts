export { userRecords } from './queries.ts'
export { userRoutes } from './routes.ts'
