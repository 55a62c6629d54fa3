export { readSettings } from './queries.ts'
export { settingRoutes } from './routes.ts'
