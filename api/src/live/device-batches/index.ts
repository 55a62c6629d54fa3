export { DeviceBatch, rejectTime } from './device-batch.ts'
