export { keepDays, makeDays } from './days.ts'
export { startPoller } from './poller.ts'
