export { addAdjustment } from './changes.ts'
export { payrollRoutes } from './routes.ts'
