export { parseWorkers } from './cluster.ts'
export { distribute, undistribute } from './distribute.ts'
