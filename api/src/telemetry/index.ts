export { keepDays } from './days.ts'
export { startPoller } from './poller.ts'
export { keepApproaches } from './keep-approaches.ts'
