export { addressRoutes } from './routes.ts'
export { zipCenter } from './zip.ts'
