import { listFacts } from '@roadshow/contract/console/list-facts'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'
import { ProgramSummary } from './ProgramSummary.tsx'

/** What stands above the parts of a program and spans other domains. */
const programSummary: readonly SlotPart<SlotProps['programSummary']>[] = [
  { key: 'summary', label: 'Summary', needs: listFacts.programs, Content: ProgramSummary },
]

export default programSummary
