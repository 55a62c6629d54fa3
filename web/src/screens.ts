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
    modules: ['overview'],
    page: () => import('./console/overview/OverviewPage.tsx'),
  },
  {
    path: '/clients',
    title: 'Clients',
    purpose: 'Who buys campaigns: their people and how many programs they have.',
    modules: ['clients'],
    page: () => import('./catalog/clients/ClientsPage.tsx'),
  },
  {
    path: '/client-programs',
    title: 'Client Programs',
    purpose: 'The campaigns: whose they are, when and in which markets they run.',
    modules: ['clients'],
    page: () => import('./catalog/programs/ProgramsPage.tsx'),
  },
  {
    path: '/artworks',
    title: 'Artworks',
    purpose: 'What trucks show: a file for each side, checked against their screens and approved.',
    modules: ['clients'],
    page: () => import('./catalog/artwork/ArtworkPage.tsx'),
  },
  {
    path: '/gps-addresses',
    title: 'SD Addresses',
    purpose: 'Places near which a program shows its own creative: where they are and how far it reaches.',
    modules: ['clients'],
    page: () => import('./catalog/addresses/AddressesPage.tsx'),
  },
  {
    path: '/schedule/program-schedule',
    title: 'Program Schedule',
    purpose: 'Which truck drives for which program, when and with whom.',
    modules: ['clients', 'schedule'],
    group: 'Schedule',
    page: () => import('./planning/shifts/SchedulePage.tsx'),
  },
  {
    path: '/schedule/program-user-schedule',
    title: 'User Schedule',
    purpose: 'Who drives when: each driver’s shifts, day by day.',
    modules: ['clients', 'schedule'],
    group: 'Schedule',
    page: () => import('./planning/shifts/user-schedule/UserSchedulePage.tsx'),
  },
  {
    path: '/client-pop',
    title: 'POP',
    purpose: 'Proof of play: photos from the street, and the public page of each program.',
    modules: ['pop'],
    page: () => import('./proof/pop/PopPage.tsx'),
  },
  {
    path: '/trucks',
    title: 'Trucks',
    purpose: 'The fleet: what each truck is, where it belongs and whether it can roll.',
    modules: ['trucks'],
    page: () => import('./catalog/trucks/TrucksPage.tsx'),
  },
  {
    path: '/smart-directional-report',
    title: 'SD Report',
    purpose: 'What came of each SD address: how often trucks came near, and what they showed there.',
    modules: ['clients'],
    page: () => import('./proof/reports/SdReportPage.tsx'),
  },
  {
    path: '/ad-log',
    title: 'Ad Log Report',
    purpose: 'Every ad that was played: when, where, on which truck and side, and how sure that is.',
    modules: ['overview'],
    page: () => import('./proof/reports/AdLogPage.tsx'),
  },
  {
    path: '/users',
    title: 'Users',
    purpose: 'Who may sign in, what each of them may open, and what drivers are paid.',
    modules: ['users'],
    group: 'Users',
    page: () => import('./console/users/UsersPage.tsx'),
  },
  {
    path: '/users/payroll',
    title: 'Payroll',
    purpose: 'What drivers earned in a period: checked, approved, locked and handed on.',
    modules: ['payroll'],
    group: 'Users',
    page: () => import('./pay/payroll/PayrollPage.tsx'),
  },
  {
    path: '/pixel',
    title: 'Pixel Maps',
    purpose: 'What the LED canvas of a truck looks like to its player: size, sides and pitch.',
    modules: [],
    page: () => import('./catalog/pixel-maps/PixelPage.tsx'),
  },
  ...oldScreens,
]
