import { shiftStatusLabel } from '@roadshow/contract/planning/shift-status'
import type { Shift, ShiftStatus } from '@roadshow/contract/planning/shifts'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'

const statusTone: Record<ShiftStatus, Tone> = {
  planned: 'parked',
  out: 'driving',
  completed: 'driving',
  cancelled: 'silent',
  noShow: 'bad',
}

export const ShiftStatusTag = ({ status }: Pick<Shift, 'status'>) => (
  <StateTag tone={statusTone[status]}>{shiftStatusLabel[status]}</StateTag>
)
