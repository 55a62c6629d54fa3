import { lazy } from 'react'
import type { ComponentType } from 'react'
import { QueuePage } from './waiting/QueuePage.tsx'
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
  { path: '/photos', page: lazy(() => import('./camera/PhotosPage.tsx')) },
  { path: '/photos/:uid', page: lazy(() => import('./camera/PhotosPage.tsx')) },
  { path: '/me', page: lazy(() => import('./me/MePage.tsx')) },
  { path: '/me/pay', page: lazy(() => import('./me/PayPage.tsx')) },
  { path: '/me/profile', page: lazy(() => import('./me/ProfilePage.tsx')) },
  { path: '/me/notifications', page: lazy(() => import('./me/NotificationsPage.tsx')) },
  { path: '/me/calendar', page: lazy(() => import('./me/CalendarPage.tsx')) },
  { path: '/me/access', page: lazy(() => import('./me/AccessPage.tsx')) },
  { path: '/me/access/second-step', page: lazy(() => import('./me/second-step/SecondStepPage.tsx')) },
]
