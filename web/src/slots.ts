import type { Slots } from './ui/slots.tsx'

/** What fills the slots of drawers. */
export const slots: Slots = {
  clientTabs: () => import('./console/record-tabs/clientTabs.tsx'),
  programTabs: () => import('./console/record-tabs/programTabs.tsx'),
  programSummary: () => import('./console/record-tabs/programSummary.ts'),
  truckSummary: () => import('./console/record-tabs/truckSummary.ts'),
  truckTabs: () => import('./console/record-tabs/truckTabs.tsx'),
  auditedRecord: () => import('./console/record-tabs/auditedRecord.ts'),
  deviceDetails: () => import('./console/record-tabs/deviceDetails.ts'),
  settingsTabs: () => import('./console/record-tabs/settingsTabs.tsx'),
  inTheWay: () => import('./console/record-tabs/inTheWay.ts'),
  shiftDetails: () => import('./console/record-tabs/shiftDetails.ts'),
}
