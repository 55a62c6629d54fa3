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

/** Whether somebody is not of the business: what its people write for each other is not for them. */
export const isOutsider = ({ role }: { role: Role }): boolean => role === 'client'

/** What a new user of a role starts with; kept per user from then on. */
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

/** THE table. Holding a module opens nothing that this table closes to the role. */
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

/** The widest reach that any of the wanted modules gives this user, or undefined when none does. */
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

/** Which paths of the web app a module opens; a trailing `/*` takes everything below. */
const modulePaths: Record<ModuleKey, readonly string[]> = {
  overview: ['/overview', '/ad-log', '/old-overview'],
  clients: ['/clients', '/client-programs', '/artworks', '/gps-addresses', '/schedule/*', '/smart-directional-report'],
  schedule: ['/schedule/*'],
  pop: ['/client-pop', '/programs/pop'],
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

/** Whether the user may open a path: any of their modules covers it and their role has some reach in that module. */
export const canOpen = (user: UserPermissions, path: string): boolean =>
  path === '/pixel' || rowAccessOf(user, modulesOpening(path), 'view') !== undefined

const RESERVED_POP_NAMES = ['pop', 'program-by-client']
const POP_NAME = /^[A-Za-z0-9 -]+$/

/** A name under which a program's public page may live. */
export const isPopName = (name: string): boolean => POP_NAME.test(name) && !RESERVED_POP_NAMES.includes(name)

/** Paths of the web app that open without signing in. */
export function isPublicPath(path: string): boolean {
  if (['/login', '/forgot-password', '/unauthorized', '/favicon.ico'].includes(path)) return true
  if (path.startsWith('/pop/')) return true
  const program = /^\/programs\/([^/]+)$/.exec(path)?.[1]
  return program !== undefined && isPopName(decodeName(program))
}

// A path that is not valid percent-encoding is nobody's page.
function decodeName(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return '%'
  }
}
