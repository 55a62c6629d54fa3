export { calendarRoutes, hideCalendarToken } from './routes.ts'
