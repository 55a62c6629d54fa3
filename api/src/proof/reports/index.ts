export { reportRoutes } from './routes.ts'
export { sdPageOrFile } from './sd-files.ts'
