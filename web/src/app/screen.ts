import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import type { ModuleKey } from '@roadshow/contract/platform/permissions'
import type { ComponentType } from 'react'

export interface Screen {
  path: `/${string}`
  title: string
  /** One line under the title that says what the screen is for. */
  purpose: string
  /** The same for clients, where they see less. */
  clientPurpose?: string
  /** The menu shows the screen to users who hold one of these. A screen without any is under the user's name instead. */
  modules: readonly ModuleKey[]
  group?: 'Schedule' | 'Users' | 'OLD'
  page: () => Promise<{ default: ComponentType }>
}

/** A drawer that the menu under the user's name opens. */
export interface UserMenuDrawer {
  /** Its name in the address. */
  key: string
  label: string
  /** Only users who may make this call see it. */
  needs?: Endpoint
  Drawer: ComponentType<{ onClose: () => void }>
}

/** What the header shows besides the menu, the title and the user: `main.tsx` passes it in. */
export interface HeaderTools {
  Badge: ComponentType
  Jump: ComponentType<{ screens: readonly Screen[]; className: string }>
  Bell: ComponentType<{ className: string }>
  drawers: readonly UserMenuDrawer[]
}
