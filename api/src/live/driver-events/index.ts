import { partOfRecord } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'

export { storeDriverIssues, storeDriverEvents, storePhoneEvent } from './driver-events.ts'

export const driverEventModule = defineModule({ name: 'live/driver-events', tables: { driver_event: partOfRecord } })
