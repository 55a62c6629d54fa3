export {
  DeviceBatch,
  idOfRow,
  reasonOfRow,
  type SentRow,
  timeProblem,
  timeProblemOfEvent,
  TOO_MANY_REPORTS,
} from './device-batch.ts'
