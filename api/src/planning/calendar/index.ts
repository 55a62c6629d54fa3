export { calendarRoutes, hideToken } from './routes.ts'
