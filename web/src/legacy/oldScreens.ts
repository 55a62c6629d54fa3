import type * as pages from './oldPages.ts'

// Together: each by itself would cost the first screen more than all of them weigh there.
const pageOf = (name: keyof typeof pages) => async () => ({ default: (await import('./oldPages.ts'))[name] })

/** The screens of the OLD group: the same records, in one wide table each. */
export const oldScreens = [
  {
    path: '/old-overview',
    title: 'Old Overview',
    purpose: 'Shifts and photos of a day, as plain tables.',
    group: 'OLD',
    page: pageOf('OldOverviewPage'),
  },
  {
    path: '/old-schedule/daily-schedule',
    title: 'Daily Schedule',
    purpose: 'One day, all trucks: type or paste into one table.',
    group: 'OLD',
    page: pageOf('DailySchedulePage'),
  },
  {
    path: '/old-schedule/user-schedule',
    title: 'Old User Schedule',
    purpose: 'One week, drivers as rows.',
    group: 'OLD',
    page: pageOf('OldUserSchedulePage'),
  },
  {
    path: '/programs/program-by-client',
    title: 'Program by Client',
    purpose: 'Clients with their programs and the artwork of each side.',
    group: 'OLD',
    page: pageOf('ProgramByClientPage'),
  },
  {
    path: '/programs/pop',
    title: 'Old POP',
    purpose: 'Programs with their photos, texts and markets.',
    group: 'OLD',
    page: pageOf('OldPopPage'),
  },
  {
    path: '/old-trucks',
    title: 'Old Trucks',
    purpose: 'The fleet as one table.',
    group: 'OLD',
    page: pageOf('OldTrucksPage'),
  },
  {
    path: '/old-users',
    title: 'Old Users',
    purpose: 'All users as one table.',
    group: 'OLD',
    page: pageOf('OldUsersPage'),
  },
  {
    path: '/old-users/payroll',
    title: 'Old Payroll',
    purpose: 'Drivers’ pay, shift by shift.',
    group: 'OLD',
    page: pageOf('OldPayrollPage'),
  },
] as const
