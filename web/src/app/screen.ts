import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import type { ComponentType } from 'react'

export interface Screen {
  path: `/${string}`
  title: string
  /** One line under the title that says what the screen is for. */
  purpose: string
  /** The same for clients, where they see less. */
  clientPurpose?: string
  /** The same for drivers, who see their own work. */
  driverPurpose?: string
  /** A screen for every user stands under their name, unless it belongs to Setup. */
  group?: 'Sales' | 'Schedule' | 'Proof' | 'Reports' | 'Users' | 'System' | 'Setup' | 'OLD'
  /** The screen needs its height: its heading is only spoken, as the header names it. */
  isTall?: true
  /** Reached from other screens and by its address, not from the menu. */
  isUnlisted?: true
  page: () => Promise<{ default: ComponentType }>
}

/** The props of a drawer that opens beside any screen. */
interface BesideDrawerProps {
  /** Its value in the address: `open`, or a part of it such as a record's uid. */
  open: string
  show: (what: string | undefined) => void
  onClose: () => void
}

/** A drawer without a screen of its own: the address opens it beside any of them. */
export interface BesideDrawer {
  /** Its name in the address. */
  key: string
  label: string
  /** The menus that offer it: the one under the user's name, and the Setup group of the menu. */
  menus: readonly ('user' | 'setup')[]
  /** Only users who may make this call see it. */
  needs?: Pick<Endpoint, 'access'>
  Drawer: ComponentType<BesideDrawerProps>
}

/** What the header shows besides the menu, the title and the user: `main.tsx` passes it in. */
export interface HeaderTools {
  Badge: ComponentType
  Jump: ComponentType<{ screens: readonly Screen[]; className: string }>
  Bell: ComponentType<{ className: string }>
  /** What stands above the menu for a while: what is left to set up. */
  MenuTop: ComponentType<{ onChoose?: (() => void) | undefined }>
  /** How much waits on a screen, beside its name in the menu. */
  Count: ComponentType<{ path: Screen['path'] }>
  drawers: readonly BesideDrawer[]
}
