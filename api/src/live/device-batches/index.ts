export { DeviceBatch, type SentRow, timeProblem } from './device-batch.ts'
