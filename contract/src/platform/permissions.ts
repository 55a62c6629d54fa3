import { signInPaths } from './constants.ts'
import * as z from './zod.ts'

export const roles = ['admin', 'driver', 'sales', 'client'] as const
export const role = z.enum(roles, `Must be one of ${roles.join(', ')}.`)
export type Role = z.infer<typeof role>
export const roleLabel: Record<Role, string> = { admin: 'Admin', driver: 'Driver', sales: 'Sales', client: 'Client' }

export const modules = [
  'overview',
  'clients',
  'schedule',
  'pop',
  'trucks',
  'users',
  'payroll',
  'dailySchedule',
  'userSchedule',
  'programByClient',
] as const
export const moduleKey = z.enum(modules)
export type ModuleKey = z.infer<typeof moduleKey>

/** Whether a role is outside the business and must not see internal notes. */
export const isOutsider = ({ role }: { role: Role }): boolean => role === 'client'

/** The modules of a new user by role; each user's own list is stored from then on. */
export const defaultModules: Record<Role, readonly ModuleKey[]> = {
  admin: modules,
  sales: ['overview', 'clients', 'schedule', 'pop', 'programByClient'],
  driver: ['schedule', 'pop', 'payroll', 'userSchedule'],
  client: ['pop'],
}

/**
 * How far a role reaches inside a module it holds. `own` limits reading to the actor's own rows, `ownEdit` lets the
 * actor change them too; `view` and `edit` reach every row.
 */
export type PermissionLevel = 'none' | 'own' | 'ownEdit' | 'view' | 'edit'

/** The permission table. A module gives a user no more access than this table gives the role. */
export const permissionTable: Record<ModuleKey, Record<Role, PermissionLevel>> = {
  overview: { admin: 'edit', sales: 'view', driver: 'none', client: 'own' },
  clients: { admin: 'edit', sales: 'edit', driver: 'none', client: 'own' },
  schedule: { admin: 'edit', sales: 'edit', driver: 'ownEdit', client: 'none' },
  pop: { admin: 'edit', sales: 'edit', driver: 'ownEdit', client: 'own' },
  trucks: { admin: 'edit', sales: 'view', driver: 'none', client: 'none' },
  users: { admin: 'edit', sales: 'none', driver: 'none', client: 'none' },
  payroll: { admin: 'edit', sales: 'none', driver: 'own', client: 'none' },
  dailySchedule: { admin: 'edit', sales: 'edit', driver: 'own', client: 'none' },
  userSchedule: { admin: 'edit', sales: 'edit', driver: 'own', client: 'none' },
  programByClient: { admin: 'edit', sales: 'edit', driver: 'none', client: 'own' },
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

/** The paths of the web app that a module opens; a trailing `/*` includes everything below. */
const modulePaths: Record<ModuleKey, readonly string[]> = {
  overview: ['/overview', '/ad-log', '/charts', '/old-overview'],
  clients: [
    '/clients',
    '/client-programs',
    '/campaigns',
    '/artworks',
    '/gps-addresses',
    '/schedule/*',
    '/smart-directional-report',
    '/charts',
  ],
  schedule: ['/schedule/*', '/charts'],
  pop: ['/campaigns', '/client-pop', '/programs/pop'],
  trucks: ['/trucks', '/old-trucks'],
  users: ['/users', '/old-users'],
  payroll: ['/users/payroll', '/old-users/payroll'],
  dailySchedule: ['/old-schedule/daily-schedule'],
  userSchedule: ['/old-schedule/user-schedule'],
  programByClient: ['/programs/program-by-client'],
}

const covers = (pattern: string, path: string) =>
  pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern

/** The modules that open a path of the web app. */
export const modulesOpening = (path: string): ModuleKey[] =>
  modules.filter((key) => modulePaths[key].some((pattern) => covers(pattern, path)))

/** Paths that every signed-in user can open. */
const PATHS_OF_EVERYONE = ['/pixel', '/notifications', '/notifications/settings']

/** Paths with figures of the whole fleet, which open only to users who reach every row. */
const PATHS_OF_ALL_ROWS = ['/charts']

/** Paths that are not for drivers, who hold the module for their own photos. */
const PATHS_WITHOUT_DRIVERS = ['/campaigns']

/** Whether the user can open a path: one of their modules covers it and gives their role access. */
export function canOpen(user: UserPermissions, path: string): boolean {
  if (PATHS_OF_EVERYONE.includes(path)) return true
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
