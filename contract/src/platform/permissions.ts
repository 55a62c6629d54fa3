import { signInPaths } from './constants.ts'
import * as z from './zod.ts'

export const roles = ['admin', 'driver', 'sales', 'client'] as const
export const role = z.enum(roles, `Must be one of ${roles.join(', ')}.`)
export type Role = z.infer<typeof role>
export const roleLabel: Record<Role, string> = { admin: 'Admin', driver: 'Driver', sales: 'Sales', client: 'Client' }

/** Whether a role is outside the business and must not see internal notes. */
export const isOutsider = ({ role }: { role: Role }): boolean => role === 'client'

/**
 * How far a role reaches inside a module it holds. `own` limits reading to the actor's own rows, `ownEdit` lets the
 * actor change them too; `view` and `edit` reach every row.
 */
export type PermissionLevel = 'none' | 'own' | 'ownEdit' | 'view' | 'edit'

interface Module {
  /** Its name where an admin gives it to a user. */
  label: string
  /** What each role may do with it. A module gives a user no more access than this. */
  levels: Record<Role, PermissionLevel>
  /** The roles whose new users hold it; each user's own list is stored from then on. */
  newUsers: readonly Role[]
  /** The paths of the web app that it opens; a trailing `/*` includes everything below. */
  opens: readonly string[]
}

/** Every module: a group of rights that an admin gives a user. Permissions, form, menu and guard come from this table. */
const moduleTable = {
  overview: {
    label: 'Overview',
    levels: { admin: 'edit', sales: 'view', driver: 'none', client: 'own' },
    newUsers: ['admin', 'sales'],
    opens: ['/overview', '/ad-log', '/replay', '/charts', '/old-overview'],
  },
  clients: {
    label: 'Clients',
    levels: { admin: 'edit', sales: 'edit', driver: 'none', client: 'own' },
    newUsers: ['admin', 'sales'],
    opens: [
      '/clients',
      '/import',
      '/client-programs',
      '/campaigns',
      '/artworks',
      '/gps-addresses',
      '/schedule/*',
      '/smart-directional-report',
      '/replay',
      '/charts',
    ],
  },
  schedule: {
    label: 'Schedule',
    levels: { admin: 'edit', sales: 'edit', driver: 'ownEdit', client: 'none' },
    newUsers: ['admin', 'sales', 'driver'],
    opens: ['/schedule/*', '/replay', '/charts', '/import'],
  },
  pop: {
    label: 'POP',
    levels: { admin: 'edit', sales: 'edit', driver: 'ownEdit', client: 'own' },
    newUsers: ['admin', 'sales', 'driver', 'client'],
    opens: ['/campaigns', '/client-pop', '/replay', '/programs/pop'],
  },
  trucks: {
    label: 'Trucks',
    levels: { admin: 'edit', sales: 'view', driver: 'none', client: 'none' },
    newUsers: ['admin'],
    opens: ['/trucks', '/replay', '/old-trucks', '/import'],
  },
  users: {
    label: 'Users',
    levels: { admin: 'edit', sales: 'none', driver: 'none', client: 'none' },
    newUsers: ['admin'],
    opens: ['/users', '/setup', '/welcome', '/system/*', '/old-users', '/import'],
  },
  payroll: {
    label: 'Payroll',
    levels: { admin: 'edit', sales: 'none', driver: 'own', client: 'none' },
    newUsers: ['admin', 'driver'],
    opens: ['/users/payroll', '/old-users/payroll'],
  },
  dailySchedule: {
    label: 'Daily schedule (old)',
    levels: { admin: 'edit', sales: 'edit', driver: 'own', client: 'none' },
    newUsers: ['admin'],
    opens: ['/old-schedule/daily-schedule'],
  },
  userSchedule: {
    label: 'User schedule (old)',
    levels: { admin: 'edit', sales: 'edit', driver: 'own', client: 'none' },
    newUsers: ['admin', 'driver'],
    opens: ['/old-schedule/user-schedule'],
  },
  programByClient: {
    label: 'Programs by client (old)',
    levels: { admin: 'edit', sales: 'edit', driver: 'none', client: 'own' },
    newUsers: ['admin', 'sales'],
    opens: ['/programs/program-by-client'],
  },
} as const satisfies Record<string, Module>

export type ModuleKey = keyof typeof moduleTable
export const modules = Object.keys(moduleTable) as ModuleKey[]
export const moduleKey = z.enum(modules)

const ofEachModule = <T>(value: (module: Module) => T) =>
  Object.fromEntries(modules.map((key) => [key, value(moduleTable[key])])) as Record<ModuleKey, T>

export const moduleLabel: Record<ModuleKey, string> = ofEachModule(({ label }) => label)
export const permissionTable: Record<ModuleKey, Record<Role, PermissionLevel>> = ofEachModule(({ levels }) => levels)

const modulesOfNew = (role: Role) => modules.filter((key) => (moduleTable[key] as Module).newUsers.includes(role))

/** The modules of a new user by role. */
export const defaultModules: Record<Role, readonly ModuleKey[]> = {
  admin: modulesOfNew('admin'),
  sales: modulesOfNew('sales'),
  driver: modulesOfNew('driver'),
  client: modulesOfNew('client'),
}

export type AccessMode = 'view' | 'edit'
export type RowAccess = 'own' | 'all'

const reaches: Record<AccessMode, Record<PermissionLevel, RowAccess | undefined>> = {
  view: { none: undefined, own: 'own', ownEdit: 'own', view: 'all', edit: 'all' },
  edit: { none: undefined, own: undefined, ownEdit: 'own', view: undefined, edit: 'all' },
}

export interface UserPermissions {
  role: Role
  modules: readonly ModuleKey[]
}

/** The widest access that any of these modules gives the user, or undefined if none does. */
export function rowAccessOf(
  user: UserPermissions,
  wanted: readonly ModuleKey[],
  needs: AccessMode,
): RowAccess | undefined {
  const given = wanted
    .filter((key) => user.modules.includes(key))
    .map((key) => reaches[needs][permissionTable[key][user.role]])
  return given.includes('all') ? 'all' : given.find((reach) => reach === 'own')
}

const covers = (pattern: string, path: string) =>
  pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

/** The modules that open a path of the web app. */
export const modulesOpening = (path: string): ModuleKey[] =>
  modules.filter((key) => moduleTable[key].opens.some((pattern) => covers(pattern, path)))

const PATHS_OF_EVERYONE = ['/pixel', '/notifications', '/notifications/settings']

/** Whether every signed-in user can open a path. */
export const isForEveryone = (path: string): boolean => PATHS_OF_EVERYONE.includes(path)

/** Paths for the whole fleet, such as its figures and imports, which open only to users who reach every row. */
const PATHS_OF_ALL_ROWS = ['/charts', '/import']

/** Paths that are not for drivers, who hold the module for their own photos. */
const PATHS_WITHOUT_DRIVERS = ['/campaigns']

/** Whether the user can open a path: one of their modules covers it and gives their role access. */
export function canOpen(user: UserPermissions, path: string): boolean {
  if (isForEveryone(path)) return true
  if (user.role === 'driver' && PATHS_WITHOUT_DRIVERS.includes(path)) return false
  const reach = rowAccessOf(user, modulesOpening(path), 'view')
  return PATHS_OF_ALL_ROWS.includes(path) ? reach === 'all' : reach !== undefined
}

/** Whether a user belongs on the drivers' app unless they ask for something else: a driver who may see their shifts. */
export const landsOnDriverApp = (user: UserPermissions): boolean =>
  user.role === 'driver' && rowAccessOf(user, ['schedule', 'userSchedule', 'dailySchedule'], 'view') !== undefined

const RESERVED_POP_NAMES = ['pop', 'program-by-client']
const POP_NAME = /^[A-Za-z0-9 -]+$/

/** Whether a name is valid for the public page of a program. */
export const isPopName = (name: string): boolean => POP_NAME.test(name) && !RESERVED_POP_NAMES.includes(name)

/** Paths of the web app that open without signing in. */
export function isPublicPath(path: string): boolean {
  if (signInPaths.includes(path) || path === '/favicon.ico') return true
  if (path.startsWith('/pop/') || path.startsWith('/c/')) return true
  const program = /^\/programs\/([^/]+)$/.exec(path)?.[1]
  return program !== undefined && isPopName(decodeName(program))
}

// A path with invalid percent-encoding leads to no page.
function decodeName(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return '%'
  }
}
