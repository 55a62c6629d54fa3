import type { ModuleKey } from '@roadshow/contract/permissions'
import type { ComponentType } from 'react'

export interface Screen {
  path: `/${string}`
  title: string
  /** What the screen is for, in one line under its title. */
  purpose: string
  /** The menu shows the screen to whoever holds one of these. */
  modules: readonly ModuleKey[]
  group?: 'Schedule' | 'Users' | 'OLD'
  page: () => Promise<{ default: ComponentType }>
}

/**
 * Every screen of the console, in the order of the menu. Routes, menu and guard are made from this table; which paths
 * a module opens stands in the contract's permissions.
 */
export const screens: readonly Screen[] = [
  {
    path: '/trucks',
    title: 'Trucks',
    purpose: 'The fleet: what each truck is, where it belongs and whether it can roll.',
    modules: ['trucks'],
    page: () => import('./trucks/TrucksPage.tsx'),
  },
]
