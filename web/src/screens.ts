import type { Screen } from './app/screen.ts'
import { oldScreens } from './legacy/oldScreens.ts'

/**
 * Every screen of the console, in the order of the menu. Routes, menu and guard are made from this table. Which modules open
 * a path stands in the contract's table of modules.
 */
export const screens: readonly Screen[] = [
  {
    path: '/overview',
    title: 'Overview',
    purpose: 'What the fleet is doing right now, and what needs attention.',
    clientPurpose: 'Your trucks while they drive for you, and today’s shifts.',
    page: () => import('./console/overview/OverviewPage.tsx'),
  },
  {
    path: '/clients',
    title: 'Clients',
    purpose: 'Companies that buy campaigns, with their contacts and programs.',
    page: () => import('./catalog/clients/ClientsPage.tsx'),
  },
  {
    path: '/client-programs',
    title: 'Client Programs',
    purpose: 'Campaigns: the client, the dates and the markets of each.',
    page: () => import('./catalog/programs/ProgramsPage.tsx'),
  },
  {
    path: '/artworks',
    title: 'Artworks',
    purpose: 'Files for each side of a truck, checked against its screens and approved.',
    page: () => import('./catalog/artwork/ArtworkPage.tsx'),
  },
  {
    path: '/gps-addresses',
    title: 'SD Addresses',
    purpose: 'Places near which a program shows special artwork, and the radius of each.',
    page: () => import('./catalog/addresses/AddressesPage.tsx'),
  },
  {
    path: '/schedule/program-schedule',
    title: 'Program Schedule',
    purpose: 'Which truck drives for which program, when, and who drives it.',
    clientPurpose: 'Which truck drives for which of your programs, and when.',
    group: 'Schedule',
    page: () => import('./planning/shifts/SchedulePage.tsx'),
  },
  {
    path: '/schedule/program-user-schedule',
    title: 'User Schedule',
    purpose: 'Each driver’s shifts, day by day.',
    clientPurpose: 'Your shifts, day by day.',
    group: 'Schedule',
    page: () => import('./planning/shifts/user-schedule/UserSchedulePage.tsx'),
  },
  {
    path: '/campaigns',
    title: 'Campaigns',
    purpose: 'What clients see: trucks on the road, booked and delivered, photos and next shifts.',
    clientPurpose: 'Your trucks on the road, what is delivered, and the newest photos.',
    page: () => import('./proof/campaigns/CampaignsPage.tsx'),
  },
  {
    path: '/client-pop',
    title: 'POP',
    purpose: 'Proof of play: photos from the street and the public page of each program.',
    page: () => import('./proof/pop/PopPage.tsx'),
  },
  {
    path: '/trucks',
    title: 'Trucks',
    purpose: 'The fleet: each truck’s type, home market, equipment and state.',
    page: () => import('./catalog/trucks/TrucksPage.tsx'),
  },
  {
    path: '/smart-directional-report',
    title: 'SD Report',
    purpose: 'Results of each SD address: how often trucks came near, and what they played there.',
    page: () => import('./proof/reports/sd/SdReportPage.tsx'),
  },
  {
    path: '/ad-log',
    title: 'Ad Log Report',
    purpose: 'Every ad played: when, where, on which truck and side, and whether it is verified.',
    page: () => import('./proof/reports/ad-log/AdLogPage.tsx'),
  },
  {
    path: '/replay',
    title: 'Replay',
    purpose: 'Where a truck was at any minute, and what each side showed there.',
    page: () => import('./proof/replay/ReplayPage.tsx'),
  },
  {
    path: '/charts',
    title: 'Charts',
    purpose: 'How the fleet is used, when shifts start, who drives how long, and when ads play.',
    page: () => import('./console/charts/ChartsPage.tsx'),
  },
  {
    path: '/users',
    title: 'Users',
    purpose: 'Who can sign in, their permissions, and drivers’ pay rates.',
    group: 'Users',
    page: () => import('./console/users/UsersPage.tsx'),
  },
  {
    path: '/users/payroll',
    title: 'Payroll',
    purpose: 'What drivers earned in each pay period, from review to approval to export.',
    group: 'Users',
    page: () => import('./pay/payroll/PayrollPage.tsx'),
  },
  {
    path: '/pixel',
    title: 'Pixel Maps',
    purpose: 'The LED canvas of a truck as its player sees it: size, sides and pixel pitch.',
    group: 'Setup',
    page: () => import('./catalog/pixel-maps/PixelPage.tsx'),
  },
  {
    path: '/notifications',
    title: 'Notifications',
    purpose: 'What happened that you should know, newest first.',
    page: () => import('./outreach/notifications/NotificationsPage.tsx'),
  },
  {
    path: '/notifications/settings',
    title: 'Notification settings',
    purpose: 'Which notifications reach you by email or in your browsers, and when.',
    page: () => import('./outreach/notifications/NotificationSettingsPage.tsx'),
  },
  ...oldScreens,
]
