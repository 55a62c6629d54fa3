import { inspectionItems } from '@roadshow/contract/live/inspections'
import { InspectionListTab } from '../../live/inspections/InspectionListTab.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

/** The tabs of the settings that belong to other domains. */
const settingsTabs: readonly SlotPart<SlotProps['settingsTabs']>[] = [
  { key: 'inspections', label: 'Inspection list', needs: inspectionItems.list, Content: InspectionListTab },
]

export default settingsTabs
