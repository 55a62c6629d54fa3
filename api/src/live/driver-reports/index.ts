export { reportIssues, reportShifts } from './driver-reports.ts'
