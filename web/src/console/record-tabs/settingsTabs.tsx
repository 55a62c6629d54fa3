import { incidents } from '@roadshow/contract/console/incidents'
import { inspectionItems } from '@roadshow/contract/live/inspections'
import { sources } from '@roadshow/contract/live/position-sources'
import { InspectionListTab } from '../../live/inspections/InspectionListTab.tsx'
import { PositionSources } from '../../live/trackers/PositionSources.tsx'
import { impressions } from '@roadshow/contract/proof/impressions'
import { ImpressionsTab } from '../../proof/impressions/ImpressionsTab.tsx'
import { services } from '@roadshow/contract/console/services'
import { IncidentsTab } from '../incidents/IncidentsTab.tsx'
import { JobsTab } from '../jobs/JobsTab.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

/** The tabs of the settings that belong to other domains. */
const settingsTabs: readonly SlotPart<SlotProps['settingsTabs']>[] = [
  { key: 'inspections', label: 'Inspection list', needs: inspectionItems.list, Content: InspectionListTab },
  { key: 'impressions', label: 'Impressions', needs: impressions.methods, Content: ImpressionsTab },
  { key: 'sources', label: 'Position sources', needs: sources.list, Content: PositionSources },
  { key: 'status', label: 'Status page', needs: incidents.list, Content: IncidentsTab },
  { key: 'jobs', label: 'Background work', needs: services.jobs, Content: JobsTab },
]

export default settingsTabs
