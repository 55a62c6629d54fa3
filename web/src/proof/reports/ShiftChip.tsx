import { shifts } from '@roadshow/contract/planning/shifts'
import { useDetails } from '../../api/useDetails.ts'
import { useMay } from '../../api/user.ts'
import { formatShiftTime } from '../../planning/shifts/shiftText.ts'
import styles from './ShiftChip.module.css'

/** The shift that a report is limited to, in words, with the way back to all shifts. */
export function ShiftChip({ uid, onRemove }: { uid: string; onRemove: () => void }) {
  const mayRead = useMay(shifts.get)
  const { data: shift } = useDetails(shifts.get, mayRead ? uid : undefined)
  // Clients without the schedule see that it is one shift, and its truck and day in the figures.
  const name = shift ? `Shift of ${shift.truck.name}, ${formatShiftTime(shift)}` : 'One shift'
  return <RemovableChip name={name} title="Show all shifts" onRemove={onRemove} />
}

interface RemovableChipProps {
  name: string
  /** What removing it does. */
  title: string
  onRemove: () => void
}

/** A filter that a link has set, in words, with the way back. */
export const RemovableChip = ({ name, title, onRemove }: RemovableChipProps) => (
  <span className={styles.chip}>
    {name}
    <button type="button" aria-label={`Remove filter: ${name}`} title={title} onClick={onRemove}>
      <span aria-hidden>×</span>
    </button>
  </span>
)
