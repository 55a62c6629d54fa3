import type { ShiftPlanChangeKind } from '@roadshow/contract/planning/shift-plan-changes'
import { shiftDrivers } from '@roadshow/contract/live/shift-driver'
import type { BoardShift } from '@roadshow/contract/planning/shifts'
import { canOpen } from '@roadshow/contract/platform/permissions'
import { useNavigate } from '@tanstack/react-router'
import { Dropdown } from 'antd'
import type { MenuProps } from 'antd'
import { permissionsOf, useMay, useUser } from '../../../api/user.ts'
import { countOf } from '@roadshow/contract/platform/figures'
import { useOutOfServiceParam } from '../out-of-service/useOutOfServiceParam.ts'
import styles from './BoardGrid.module.css'

/** A shift whose menu is open, and where on the screen. */
export interface OpenShiftMenu {
  shift: BoardShift
  x: number
  y: number
}

interface ShiftMenuProps {
  menu: OpenShiftMenu
  /** The shifts that the menu is about: the one, or all that are chosen with it. */
  shifts: readonly BoardShift[]
  mayPlan: boolean
  canMove: boolean
  onClose: () => void
  onOpen: (uid: string, tab?: string) => void
  onLift: (shift: BoardShift, copies: boolean) => void
  onToggle: (shift: BoardShift) => void
  onChangePlan: (kind: ShiftPlanChangeKind, shifts: readonly BoardShift[]) => void
}

type Items = NonNullable<MenuProps['items']>

const itemsOfMany = (shifts: readonly BoardShift[]): Items => {
  const isPlanned = shifts.some(({ status }) => status === 'planned')
  return [
    { type: 'group', label: `${countOf(shifts.length, 'shift')} selected` },
    { key: 'move', label: 'Move…', disabled: !isPlanned },
    { key: 'copy', label: 'Copy…' },
    { key: 'driver', label: 'Change driver…', disabled: !isPlanned },
    { type: 'divider' },
    { key: 'cancel', label: 'Cancel shifts…', disabled: !isPlanned },
    { key: 'delete', label: 'Delete…', danger: true },
  ]
}

interface MenuRights {
  mayPlan: boolean
  mayMessage: boolean
  mayOpenTruck: boolean
  mayOpenProgram: boolean
}

function itemsOfOne({ status, driverUid }: BoardShift, canMove: boolean, rights: MenuRights): Items {
  const isPlanned = status === 'planned'
  const hasBegun = status === 'out' || status === 'completed'
  const planning: Items = [
    { key: 'edit', label: 'Edit' },
    { key: 'lift', label: 'Move… (M)', disabled: !canMove },
    { key: 'liftCopy', label: 'Copy… (C)' },
    { key: 'select', label: 'Select (Space)' },
    { key: 'driver', label: 'Change driver…', disabled: !isPlanned },
    ...(driverUid === null ? [] : [{ key: 'timeOff', label: 'Driver is off…' }]),
    { key: 'shop', label: 'Truck to the shop…' },
    { type: 'divider' },
    { key: 'cancel', label: 'Cancel shift…', disabled: !isPlanned },
    { key: 'delete', label: 'Delete…', danger: true, disabled: hasBegun },
    { type: 'divider' },
  ]
  return [
    { key: 'open', label: 'Open' },
    ...(rights.mayPlan ? planning : []),
    ...(rights.mayMessage && driverUid !== null ? [{ key: 'message', label: 'Message driver' }] : []),
    ...(rights.mayOpenTruck ? [{ key: 'truck', label: 'Open truck' }] : []),
    ...(rights.mayOpenProgram ? [{ key: 'program', label: 'Open program' }] : []),
  ]
}

/** What can be done with a shift of the board, or with all that are chosen. */
export function ShiftMenu({ menu, shifts, mayPlan, canMove, onClose, ...on }: ShiftMenuProps) {
  const { shift, x, y } = menu
  const navigate = useNavigate()
  const permissions = permissionsOf(useUser())
  const rights = {
    mayPlan,
    mayMessage: useMay(shiftDrivers.write),
    mayOpenTruck: canOpen(permissions, '/trucks'),
    mayOpenProgram: canOpen(permissions, '/client-programs'),
  }
  const [, askStretch] = useOutOfServiceParam()
  const isOfMany = shifts.length > 1
  const goTo = (to: string, uid: string) => void navigate({ to, search: { open: uid } })
  const choose = (key: string) => {
    onClose()
    if (isOfMany) return on.onChangePlan(key as ShiftPlanChangeKind, shifts)
    const actions: Record<string, () => void> = {
      open: () => on.onOpen(shift.uid, mayPlan ? 'details' : undefined),
      edit: () => on.onOpen(shift.uid),
      lift: () => on.onLift(shift, false),
      liftCopy: () => on.onLift(shift, true),
      select: () => on.onToggle(shift),
      timeOff: () => askStretch({ over: 'driver', of: shift.driverUid ?? undefined, from: shift.date }),
      shop: () => askStretch({ over: 'truck', of: shift.truckUid, from: shift.date }),
      message: () => on.onOpen(shift.uid, 'driver'),
      truck: () => goTo('/trucks', shift.truckUid),
      program: () => goTo('/client-programs', shift.programUid),
    }
    const run = actions[key]
    if (run) run()
    else on.onChangePlan(key as ShiftPlanChangeKind, [shift])
  }
  return (
    <Dropdown
      open
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu that the user opened takes the keys
      autoFocus
      trigger={['click']}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      menu={{
        items: isOfMany ? itemsOfMany(shifts) : itemsOfOne(shift, canMove, rights),
        onClick: ({ key }) => choose(key),
      }}
    >
      <span className={styles.anchor} style={{ left: x, top: y }} />
    </Dropdown>
  )
}
