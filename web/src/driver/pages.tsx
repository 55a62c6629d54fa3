import { lazy } from 'react'
import type { ComponentType } from 'react'
import { QueuePage } from './queue/QueuePage.tsx'
import { TodayPage } from './today/TodayPage.tsx'

/** A page of the app, by its path below /driver. It gets the values of its path. */
export interface DriverPage {
  path: string
  page: ComponentType<{ values: Record<string, string> }>
}

/** All pages. Those that a driver seldom opens are loaded when they are. */
export const pages: readonly DriverPage[] = [
  { path: '/', page: TodayPage },
  { path: '/queue', page: QueuePage },
  { path: '/shifts/:uid', page: lazy(() => import('./shift/ShiftPage.tsx')) },
  { path: '/shifts/:uid/inspection', page: lazy(() => import('./shift/InspectionPage.tsx')) },
  { path: '/shifts/:uid/issue', page: lazy(() => import('./shift/IssuePage.tsx')) },
]
