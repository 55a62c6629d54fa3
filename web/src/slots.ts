import type { Slots } from './ui/slots.tsx'

/** What fills the slots of drawers. */
export const slots: Slots = {
  clientTabs: () => import('./console/record-tabs/clientTabs.tsx'),
  programTabs: () => import('./console/record-tabs/programTabs.tsx'),
  programSteps: () => import('./console/record-tabs/programSteps.tsx'),
  truckTabs: () => import('./console/record-tabs/truckTabs.tsx'),
  auditedRecord: () => import('./console/record-tabs/auditedRecord.ts'),
  deviceDetails: () => import('./console/record-tabs/deviceDetails.ts'),
  settingsTabs: () => import('./console/record-tabs/settingsTabs.tsx'),
  shiftDetails: () => import('./console/record-tabs/shiftDetails.ts'),
}
