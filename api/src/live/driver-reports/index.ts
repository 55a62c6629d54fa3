import { partOfRecord } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'

export { reportIssues, reportShifts, storePhoneReport } from './driver-reports.ts'

export const driverReportModule = defineModule({ name: 'live/driver-reports', tables: { driver_event: partOfRecord } })
