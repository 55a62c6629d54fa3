import { defineModule } from '../../platform/module.ts'

export { storeDriverEvents, storeDriverIssues } from './driver-events.ts'

export const driverEventModule = defineModule({ name: 'live/driver-events' })
