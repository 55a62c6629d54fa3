export { keepDays } from './days.ts'
export { startPoller } from './poller.ts'
