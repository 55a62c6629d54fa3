export { addressRoutes } from './routes.ts'
export { zipCentre } from './zip.ts'
