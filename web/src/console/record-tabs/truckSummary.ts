import { listFacts } from '@roadshow/contract/console/list-facts'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'
import { TruckSummary } from './TruckSummary.tsx'

/** What stands above the parts of a truck and spans other domains. */
const truckSummary: readonly SlotPart<SlotProps['truckSummary']>[] = [
  { key: 'summary', label: 'Summary', needs: listFacts.trucks, Content: TruckSummary },
]

export default truckSummary
