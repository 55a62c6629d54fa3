export { Batch, untimely } from './device-batch.ts'
