import { BAR_HEIGHT } from './boardModel.ts'
import type { HoveredBar } from './useHoveredBar.ts'
import type { OpenShiftMenu } from './ShiftMenu.tsx'
import styles from './BoardGrid.module.css'

interface HoverActionsProps {
  bar: HoveredBar
  /** The name of the shift. */
  name: string
  onMenu: (menu: OpenShiftMenu) => void
}

/** The button on a hovered bar that opens its menu. */
export const HoverActions = ({ bar: { shift, right, top }, name, onMenu }: HoverActionsProps) => (
  <button
    type="button"
    tabIndex={-1}
    className={styles.more}
    aria-label={`Actions for ${name}`}
    // On the second line: the first one is the time.
    style={{ right: right + 2, top: top + BAR_HEIGHT - 18 }}
    onClick={({ clientX: x, clientY: y }) => onMenu({ shift, x, y })}
  >
    ⋯
  </button>
)
