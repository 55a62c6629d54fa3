export { programSheet } from './export.ts'
export { programRecords } from './queries.ts'
export { programRoutes } from './routes.ts'
export { createProgram, removeProgram, updateProgram } from './rules.ts'
