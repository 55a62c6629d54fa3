export { DeviceBatch, idOfRow, reasonOfRow, type SentRow, timeProblem, timeProblemOfEvent } from './device-batch.ts'
