import { programProgress } from '@roadshow/contract/console/program-steps'
import { ProgramStepsLine } from '../program-steps/ProgramStepsLine.tsx'
import type { SlotPart, SlotProps } from '../../ui/slots.tsx'

/** What stands above the form of a program and spans other domains. */
const programSteps: readonly SlotPart<SlotProps['programSteps']>[] = [
  {
    key: 'steps',
    label: 'Steps',
    needs: programProgress.steps,
    Content: ({ record }) => <ProgramStepsLine program={record} />,
  },
]

export default programSteps
