import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { Dropdown } from 'antd'
import styles from './ShiftMenu.module.css'

/** A shift whose menu is open, and where on the screen. */
export interface OpenShiftMenu {
  shift: BoardShift
  x: number
  y: number
}

interface ShiftMenuProps {
  menu: OpenShiftMenu
  canMove: boolean
  onClose: () => void
  onOpen: (uid: string) => void
  onLift: (shift: BoardShift, copies: boolean) => void
}

const itemsOf = (canMove: boolean) => [
  { key: 'open', label: 'Open' },
  { key: 'move', label: 'Move… (M)', disabled: !canMove },
  { key: 'copy', label: 'Copy… (C)' },
]

export const ShiftMenu = ({ menu: { shift, x, y }, canMove, onClose, onOpen, onLift }: ShiftMenuProps) => (
  <Dropdown
    open
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu that the user opened takes the keys
    autoFocus
    trigger={['click']}
    onOpenChange={(isOpen) => !isOpen && onClose()}
    menu={{
      items: itemsOf(canMove),
      onClick: ({ key }) => {
        onClose()
        if (key === 'open') onOpen(shift.uid)
        else onLift(shift, key === 'copy')
      },
    }}
  >
    <span className={styles.anchor} style={{ left: x, top: y }} />
  </Dropdown>
)
