import type { Screen } from './app/screen.ts'
import { oldScreens } from './legacy/oldScreens.ts'

/**
 * Every screen of the console, in the order of the menu. Routes, menu and guard are made from this table; the contract's
 * permissions list the paths that each module opens.
 */
export const screens: readonly Screen[] = [
  {
    path: '/overview',
    title: 'Overview',
    purpose: 'What the fleet is doing right now, and what needs attention.',
    clientPurpose: 'Your trucks while they drive for you, and today’s shifts.',
    modules: ['overview'],
    page: () => import('./console/overview/OverviewPage.tsx'),
  },
  {
    path: '/clients',
    title: 'Clients',
    purpose: 'Companies that buy campaigns, with their contacts and programs.',
    modules: ['clients'],
    page: () => import('./catalog/clients/ClientsPage.tsx'),
  },
  {
    path: '/client-programs',
    title: 'Client Programs',
    purpose: 'Campaigns: the client, the dates and the markets of each.',
    modules: ['clients'],
    page: () => import('./catalog/programs/ProgramsPage.tsx'),
  },
  {
    path: '/artworks',
    title: 'Artworks',
    purpose: 'Files for each side of a truck, checked against its screens and approved.',
    modules: ['clients'],
    page: () => import('./catalog/artwork/ArtworkPage.tsx'),
  },
  {
    path: '/gps-addresses',
    title: 'SD Addresses',
    purpose: 'Places near which a program shows special artwork, and the radius of each.',
    modules: ['clients'],
    page: () => import('./catalog/addresses/AddressesPage.tsx'),
  },
  {
    path: '/schedule/program-schedule',
    title: 'Program Schedule',
    purpose: 'Which truck drives for which program, when, and who drives it.',
    clientPurpose: 'Which truck drives for which of your programs, and when.',
    modules: ['clients', 'schedule'],
    group: 'Schedule',
    page: () => import('./planning/shifts/SchedulePage.tsx'),
  },
  {
    path: '/schedule/program-user-schedule',
    title: 'User Schedule',
    purpose: 'Each driver’s shifts, day by day.',
    clientPurpose: 'Your shifts, day by day.',
    modules: ['clients', 'schedule'],
    group: 'Schedule',
    page: () => import('./planning/shifts/user-schedule/UserSchedulePage.tsx'),
  },
  {
    path: '/client-pop',
    title: 'POP',
    purpose: 'Proof of play: photos from the street and the public page of each program.',
    modules: ['pop'],
    page: () => import('./proof/pop/PopPage.tsx'),
  },
  {
    path: '/trucks',
    title: 'Trucks',
    purpose: 'The fleet: each truck’s type, home market, equipment and state.',
    modules: ['trucks'],
    page: () => import('./catalog/trucks/TrucksPage.tsx'),
  },
  {
    path: '/smart-directional-report',
    title: 'SD Report',
    purpose: 'Results of each SD address: how often trucks came near, and what they played there.',
    modules: ['clients'],
    page: () => import('./proof/reports/SdReportPage.tsx'),
  },
  {
    path: '/ad-log',
    title: 'Ad Log Report',
    purpose: 'Every ad played: when, where, on which truck and side, and whether it is verified.',
    modules: ['overview'],
    page: () => import('./proof/reports/AdLogPage.tsx'),
  },
  {
    path: '/users',
    title: 'Users',
    purpose: 'Who can sign in, their permissions, and drivers’ pay rates.',
    modules: ['users'],
    group: 'Users',
    page: () => import('./console/users/UsersPage.tsx'),
  },
  {
    path: '/users/payroll',
    title: 'Payroll',
    purpose: 'What drivers earned in each pay period, from review to approval to export.',
    modules: ['payroll'],
    group: 'Users',
    page: () => import('./pay/payroll/PayrollPage.tsx'),
  },
  {
    path: '/pixel',
    title: 'Pixel Maps',
    purpose: 'The LED canvas of a truck as its player sees it: size, sides and pixel pitch.',
    modules: [],
    page: () => import('./catalog/pixel-maps/PixelPage.tsx'),
  },
  {
    path: '/notifications',
    title: 'Notifications',
    purpose: 'What happened that you should know, newest first.',
    modules: [],
    page: () => import('./outreach/notifications/NotificationsPage.tsx'),
  },
  {
    path: '/notifications/settings',
    title: 'Notification settings',
    purpose: 'Which notifications reach you by mail or in your browsers, and when.',
    modules: [],
    page: () => import('./outreach/notifications/NotificationSettingsPage.tsx'),
  },
  ...oldScreens,
]
