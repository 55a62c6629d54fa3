import { defaultModules } from '@roadshow/contract/platform/permissions'
import type { UserPermissions, ModuleKey, Role } from '@roadshow/contract/platform/permissions'
import { describe, expect, test } from 'vitest'
import type { Screen } from '../screen.ts'
import { headerTools } from '../../header-tools.ts'
import { screens as allScreens } from '../../screens.ts'
import { firstAllowedPath, menuFor, nameInMenu, setupMenuFor } from './menu.ts'

const screen = (path: Screen['path'], group?: Screen['group']): Screen => ({
  path,
  title: path,
  purpose: '',
  ...(group && { group }),
  page: () => Promise.reject(new Error('not opened here')),
})

// The menu of the specification, with the old screens first to see that they are moved to the end.
const screens: Screen[] = [
  screen('/old-overview', 'OLD'),
  screen('/old-trucks', 'OLD'),
  screen('/overview'),
  screen('/clients', 'Sales'),
  screen('/client-programs', 'Sales'),
  screen('/artworks', 'Sales'),
  screen('/gps-addresses', 'Sales'),
  screen('/schedule/program-schedule', 'Schedule'),
  screen('/schedule/program-user-schedule', 'Schedule'),
  screen('/campaigns', 'Proof'),
  screen('/client-pop', 'Proof'),
  screen('/trucks'),
  screen('/smart-directional-report', 'Reports'),
  screen('/ad-log', 'Reports'),
  screen('/charts', 'Reports'),
  screen('/users', 'Users'),
  screen('/users/payroll', 'Users'),
]

const a = (role: Role, modules: readonly ModuleKey[] = defaultModules[role]): UserPermissions => ({ role, modules })
const shown = (user: UserPermissions) =>
  menuFor(user, screens).map(({ name, screens: own }) => {
    const paths = own.map(({ path }) => path)
    return name ? [name, ...paths] : paths[0]
  })

describe('the menu', () => {
  test('shows an admin everything, in the order of the specification, the old screens last', () => {
    expect(shown(a('admin'))).toEqual([
      '/overview',
      ['Sales', '/clients', '/client-programs', '/artworks', '/gps-addresses'],
      ['Schedule', '/schedule/program-schedule', '/schedule/program-user-schedule'],
      ['Proof', '/campaigns', '/client-pop'],
      '/trucks',
      ['Reports', '/smart-directional-report', '/ad-log', '/charts'],
      ['Users', '/users', '/users/payroll'],
      ['OLD', '/old-overview', '/old-trucks'],
    ])
  })

  test('shows a driver both schedules, the POP and their payroll, and no OLD group without a screen in it', () => {
    expect(shown(a('driver'))).toEqual([
      ['Schedule', '/schedule/program-schedule', '/schedule/program-user-schedule'],
      '/client-pop',
      ['Users', '/users/payroll'],
    ])
  })

  test('shows a client their campaigns and their POP only', () => {
    expect(shown(a('client'))).toEqual([['Proof', '/campaigns', '/client-pop']])
  })

  test('shows figures of the whole fleet to those who reach all of it', () => {
    const held = ['overview', 'clients', 'schedule'] as const
    expect(shown(a('sales', held)).flat()).toContain('/charts')
    expect(shown(a('driver', held)).flat()).not.toContain('/charts')
    expect(shown(a('client', held)).flat()).not.toContain('/charts')
  })

  test('does not show a module that the role has no part in, even to someone who holds it', () => {
    expect(shown(a('driver', ['users', 'trucks', 'pop']))).toEqual(['/client-pop'])
  })
})

describe('Setup in the menu', () => {
  const setup = (user: UserPermissions) => setupMenuFor(user, allScreens, headerTools.drawers).map(nameInMenu)
  test.each<[string, UserPermissions, string[]]>([
    ['an admin', a('admin'), ['Changes', 'Markets', 'Pixel Maps', 'Settings']],
    ['sales', a('sales'), ['Changes', 'Markets', 'Pixel Maps']],
    ['someone with nothing', a('client', []), ['Pixel Maps']],
  ])('of %s', (_who, user, names) => {
    expect(setup(user)).toEqual(names)
  })
})

describe('the first allowed path', () => {
  test.each<[string, UserPermissions, string | undefined]>([
    ['an admin', a('admin'), '/overview'],
    ['sales', a('sales'), '/overview'],
    ['a driver', a('driver'), '/schedule/program-schedule'],
    ['a client', a('client'), '/campaigns'],
    ['a client with more modules', a('client', ['overview', 'clients', 'pop']), '/campaigns'],
    ['a client without their campaigns', a('client', ['overview']), '/overview'],
    ['someone with trucks alone', a('admin', ['trucks']), '/trucks'],
    ['someone with nothing', a('client', []), undefined],
  ])('of %s', (_who, user, path) => {
    expect(firstAllowedPath(user, screens)).toBe(path)
  })
})
