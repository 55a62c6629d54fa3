import { isPublicPath, canOpen, modules, modulesOpening } from '@roadshow/contract/platform/permissions'
import type { ModuleKey } from '@roadshow/contract/platform/permissions'
import { describe, expect, test } from 'vitest'
import { menuFor } from './app/menu/menu.ts'
import { screens } from './screens.ts'

/**
 * The routes and menu items of the specification (§2), typed from it; where it says "not shown", as the product decides.
  ['Reports', 'SD Report', '/smart-directional-report', ['clients']],
  ['Reports', 'Ad Log Report', '/ad-log', ['overview']],
  ['Reports', 'Replay', '/replay', ['overview', 'clients', 'schedule', 'trucks']],
  ['Reports', 'Charts', '/charts', ['overview', 'clients', 'schedule']],
 */
const menu: [group: string | undefined, title: string, path: string, keys: ModuleKey[]][] = [
  [undefined, 'Overview', '/overview', ['overview']],
  ['Sales', 'Clients', '/clients', ['clients']],
  ['Sales', 'Client Programs', '/client-programs', ['clients']],
  ['Sales', 'Artworks', '/artworks', ['clients']],
  ['Sales', 'SD Addresses', '/gps-addresses', ['clients']],
  ['Schedule', 'Program Schedule', '/schedule/program-schedule', ['clients', 'schedule']],
  ['Schedule', 'User Schedule', '/schedule/program-user-schedule', ['clients', 'schedule']],
  ['Proof', 'Campaigns', '/campaigns', ['clients', 'pop']],
  ['Proof', 'POP', '/client-pop', ['pop']],
  [undefined, 'Trucks', '/trucks', ['trucks']],
  ['Reports', 'SD Report', '/smart-directional-report', ['clients']],
  ['Reports', 'Ad Log Report', '/ad-log', ['overview']],
  ['Reports', 'Replay', '/replay', ['overview', 'clients', 'schedule', 'pop', 'trucks']],
  ['Reports', 'Charts', '/charts', ['overview', 'clients', 'schedule']],
  ['Users', 'Users', '/users', ['users']],
  ['Users', 'Payroll', '/users/payroll', ['payroll']],
  ['System', 'API keys', '/system/api-keys', ['users']],
  ['System', 'Webhooks', '/system/webhooks', ['users']],
  ['System', 'Webhook log', '/system/webhook-log', ['users']],
  ['System', 'Messages', '/system/messages', ['users']],
  ['System', 'Web log', '/system/web-log', ['users']],
  ['System', 'Audit log', '/system/audit-log', ['users']],
]
const old: [path: string, keys: ModuleKey[]][] = [
  ['/old-overview', ['overview']],
  ['/old-schedule/daily-schedule', ['dailySchedule']],
  ['/old-schedule/user-schedule', ['userSchedule']],
  ['/programs/program-by-client', ['programByClient']],
  ['/programs/pop', ['pop']],
  ['/old-trucks', ['trucks']],
  ['/old-users', ['users']],
  ['/old-users/payroll', ['payroll']],
]

const everything = { role: 'admin', modules } as const
const inMenu = menuFor(everything, screens).flatMap(({ name, screens: own }) =>
  own.map((screen) => [name, screen] as const),
)

describe('the screens of the specification', () => {
  test('stand in the menu with these titles, in this order, by these modules', () => {
    const shown = inMenu.filter(([group]) => group !== 'OLD')
    expect(shown.map(([group, { title, path }]) => [group, title, path, modulesOpening(path)])).toEqual(menu)
  })

  test('are followed by the OLD group', () => {
    const last = inMenu.slice(menu.length)
    expect(last.map(([group]) => group)).toEqual(old.map(() => 'OLD'))
    expect(last.map(([, { path }]) => [path, modulesOpening(path)])).toEqual(old)
  })

  test('are all that there are, with pixel maps and notifications for every signed-in user', () => {
    const everyones = ['/pixel', '/notifications', '/notifications/settings']
    const known = [
      ...menu.map(([, , path]) => path),
      ...old.map(([path]) => path),
      ...everyones,
      '/import',
      '/setup',
      '/welcome',
    ]
    expect(screens.map(({ path }) => path).toSorted()).toEqual(known.toSorted())
    for (const path of everyones) {
      expect(modulesOpening(path)).toEqual([])
      expect(canOpen({ role: 'client', modules: [] }, path)).toBe(true)
    }
  })

  test('open to no one who is not signed in', () => {
    expect(screens.filter(({ path }) => isPublicPath(path))).toEqual([])
  })

  test('have every module of the specification among them', () => {
    const used = new Set(screens.flatMap(({ path }) => modulesOpening(path)))
    expect([...used].toSorted()).toEqual([...modules].toSorted())
    expect(modules).toHaveLength(10)
  })
})
