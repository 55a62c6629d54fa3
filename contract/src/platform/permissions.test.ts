import { describe, expect, test } from 'vitest'
import {
  defaultModules,
  isPopName,
  landsOnDriverApp,
  isPublicPath,
  permissionTable,
  canOpen,
  type ModuleKey,
  modules,
  modulesOpening,
  rowAccessOf,
  type Role,
  roles,
} from './permissions.ts'

describe('paths that open without signing in', () => {
  test.each([
    '/login',
    '/second-factor',
    '/forgot-password',
    '/unauthorized',
    '/favicon.ico',
    '/pop/anything',
    '/pop/anything/below_it',
    '/programs/acme',
    '/programs/Some Name-1',
    '/programs/Some%20Name-1',
    '/programs/pop-up',
    '/programs/pops',
    '/programs/POP',
  ])('%s does', (path) => expect(isPublicPath(path)).toBe(true))

  test.each([
    '/',
    '/login/',
    '/Login',
    '/programs',
    '/programs/',
    '/programs/pop',
    '/programs/%70op',
    '/programs/program-by-client',
    '/programs/program%2Dby%2Dclient',
    '/programs/bad_name',
    '/programs/bad.name',
    '/programs/Größe',
    '/programs/a/b',
    '/programs/a%2Fb',
    '/programs/%',
    '/programs/%zz',
    '/programs/acme%0A',
    '/programs/acme\n',
    '/programs/pop?x=1',
    '/old/programs/acme',
    '/pop',
    '/pops/acme',
    '/overview',
    '/trucks',
    '/pixel',
  ])('%j does not', (path) => expect(isPublicPath(path)).toBe(false))

  test('a program’s page is named by letters, digits, hyphens and spaces, and by no screen of the console', () => {
    expect(['Acme Summer-26', 'a', '7'].filter(isPopName)).toHaveLength(3)
    expect(['', 'pop', 'program-by-client', 'a_b', 'a/b', 'é', 'a\n'].filter(isPopName)).toEqual([])
  })
})

describe('the paths that each module opens', () => {
  const opened: Record<ModuleKey, string[]> = {
    overview: ['/overview', '/ad-log', '/replay', '/charts', '/old-overview'],
    clients: [
      '/replay',
      '/charts',
      '/clients',
      '/client-programs',
      '/campaigns',
      '/artworks',
      '/gps-addresses',
      '/schedule/program-schedule',
      '/schedule/program-user-schedule',
      '/smart-directional-report',
      '/import',
    ],
    schedule: ['/replay', '/charts', '/schedule/program-schedule', '/schedule/program-user-schedule', '/import'],
    pop: ['/replay', '/campaigns', '/client-pop', '/programs/pop'],
    trucks: ['/replay', '/import', '/trucks', '/old-trucks'],
    users: ['/import', '/users', '/setup', '/welcome', '/system/*', '/old-users'],
    payroll: ['/users/payroll', '/old-users/payroll'],
    dailySchedule: ['/old-schedule/daily-schedule'],
    userSchedule: ['/old-schedule/user-schedule'],
    programByClient: ['/programs/program-by-client'],
  }
  const everyPath = [...new Set(Object.values(opened).flat()), '/', '/nowhere', '/trucks/1', '/clients/', '/schedule']

  test.each(modules)('%s', (key) => {
    expect(everyPath.filter((path) => modulesOpening(path).includes(key))).toEqual(opened[key])
    expect(everyPath.filter((path) => canOpen({ role: 'admin', modules: [key] }, path))).toEqual(opened[key])
  })

  test('users opens the users and not their payroll', () => {
    const keeper = { role: 'admin', modules: ['users'] } as const
    expect(canOpen(keeper, '/users')).toBe(true)
    expect(canOpen(keeper, '/users/payroll')).toBe(false)
    expect(canOpen(keeper, '/old-users/payroll')).toBe(false)
  })

  test('the figures of the whole fleet open only to those who reach every row', () => {
    const held = ['overview', 'clients', 'schedule'] as const
    expect(roles.filter((role) => canOpen({ role, modules: held }, '/charts'))).toEqual(['admin', 'sales'])
    expect(canOpen({ role: 'sales', modules: ['pop'] }, '/charts')).toBe(false)
  })

  test('anybody signed in may open the pixel screen', () => {
    for (const role of roles) expect(canOpen({ role, modules: [] }, '/pixel')).toBe(true)
  })

  test('a module opens no screen to a role that it gives no reach', () => {
    expect(canOpen({ role: 'driver', modules: ['trucks', 'users'] }, '/trucks')).toBe(false)
    expect(canOpen({ role: 'client', modules: ['trucks', 'schedule'] }, '/schedule/program-schedule')).toBe(false)
    expect(canOpen({ role: 'sales', modules: ['payroll'] }, '/users/payroll')).toBe(false)
    expect(canOpen({ role: 'sales', modules: ['trucks'] }, '/trucks')).toBe(true)
  })

  test('the modules a new user starts with open these screens', () => {
    const screens = (role: Role) => everyPath.filter((path) => canOpen({ role, modules: defaultModules[role] }, path))
    expect(screens('admin')).toEqual([...new Set(Object.values(opened).flat())])
    const ofSales = [...opened.overview, ...opened.clients, ...opened.pop, ...opened.programByClient]
    expect(screens('sales')).toEqual([...new Set(ofSales)])
    const schedules = opened.schedule.filter((path) => !['/charts', '/import'].includes(path))
    const photos = opened.pop.filter((path) => !['/campaigns', '/replay'].includes(path))
    expect(screens('driver')).toEqual([...schedules, ...photos, ...opened.payroll, ...opened.userSchedule])
    expect(screens('client')).toEqual(opened.pop)
  })
})

describe('how far a role reaches', () => {
  const holding = (role: Role, ...held: ModuleKey[]) => ({ role, modules: held })

  test('no one reaches anything through a module they do not hold', () => {
    for (const role of roles) {
      for (const key of modules) {
        const others = modules.filter((other) => other !== key)
        expect(rowAccessOf(holding(role, ...others), [key], 'view')).toBeUndefined()
        expect(rowAccessOf(holding(role, ...others), [key], 'edit')).toBeUndefined()
      }
    }
  })

  test('an admin reaches every row of every module, to change it too', () => {
    for (const key of modules) {
      expect(rowAccessOf(holding('admin', key), [key], 'view')).toBe('all')
      expect(rowAccessOf(holding('admin', key), [key], 'edit')).toBe('all')
    }
  })

  const reached = (role: Role, needs: 'view' | 'edit') =>
    Object.fromEntries(
      modules
        .map((key) => [key, rowAccessOf(holding(role, key), [key], needs)])
        .filter(([, reach]) => reach !== undefined),
    )

  test('sales sees all clients, programs, schedules, POP and trucks, and neither users nor pay', () => {
    const sold = {
      clients: 'all',
      schedule: 'all',
      pop: 'all',
      dailySchedule: 'all',
      userSchedule: 'all',
      programByClient: 'all',
    }
    expect(reached('sales', 'view')).toEqual({ ...sold, overview: 'all', trucks: 'all' })
    expect(reached('sales', 'edit')).toEqual(sold)
  })

  test('a driver sees only their own shifts, photos and pay, and changes only their own shifts and photos', () => {
    expect(reached('driver', 'view')).toEqual({
      schedule: 'own',
      pop: 'own',
      payroll: 'own',
      dailySchedule: 'own',
      userSchedule: 'own',
    })
    expect(reached('driver', 'edit')).toEqual({ schedule: 'own', pop: 'own' })
  })

  test('a client sees only their own and changes nothing', () => {
    expect(reached('client', 'view')).toEqual({ overview: 'own', clients: 'own', pop: 'own', programByClient: 'own' })
    expect(reached('client', 'edit')).toEqual({})
  })

  test('of several modules the widest reach counts', () => {
    expect(rowAccessOf(holding('driver', 'schedule', 'trucks'), ['trucks', 'schedule'], 'view')).toBe('own')
    expect(rowAccessOf(holding('sales', 'payroll', 'clients'), ['payroll', 'clients'], 'edit')).toBe('all')
    expect(rowAccessOf(holding('driver', 'trucks'), ['trucks', 'schedule'], 'view')).toBeUndefined()
    expect(rowAccessOf(holding('admin', ...modules), [], 'view')).toBeUndefined()
  })

  test('only a driver who may see shifts belongs on the drivers’ app', () => {
    expect(landsOnDriverApp(holding('driver', 'schedule'))).toBe(true)
    expect(landsOnDriverApp(holding('driver', 'userSchedule'))).toBe(true)
    expect(landsOnDriverApp(holding('driver', 'pop', 'payroll'))).toBe(false)
    for (const role of ['admin', 'sales', 'client'] as const)
      expect(landsOnDriverApp(holding(role, ...modules))).toBe(false)
  })

  test('no role starts with a module that gives it nothing', () => {
    for (const role of roles) {
      for (const key of defaultModules[role]) expect(permissionTable[key][role], `${role} ${key}`).not.toBe('none')
    }
  })
})
