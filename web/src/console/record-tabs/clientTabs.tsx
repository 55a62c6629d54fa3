import { clientReports } from '@roadshow/contract/proof/client-reports'
import { MonthTab } from '../../proof/client-reports/MonthTab.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

/** The tabs of a client's drawer that belong to other domains. */
const clientTabs: readonly SlotPart<SlotProps['clientTabs']>[] = [
  {
    key: 'month',
    label: 'Monthly report',
    needs: clientReports.get,
    Content: ({ record }) => <MonthTab client={record.uid} />,
  },
]

export default clientTabs
