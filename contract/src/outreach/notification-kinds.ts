import { rowAccessOf } from '../platform/permissions.ts'
import type { AccessMode, ModuleKey, Role, UserPermissions } from '../platform/permissions.ts'

// This file has no schemas, so that a page that needs only these words does not load zod.

export const notificationChannels = ['mail', 'push'] as const
export type NotificationChannel = (typeof notificationChannels)[number]
export const notificationChannelLabel: Record<NotificationChannel, string> = { mail: 'Email', push: 'Push' }

export const notificationGroups = ['Trucks on shift', 'Shifts', 'Programs', 'Technology'] as const
type NotificationGroup = (typeof notificationGroups)[number]

interface NotificationKindDeclaration {
  group: NotificationGroup
  label: string
  /** When it is sent, as a sentence. */
  description: string
  /** Sent at once and never in a digest. It is sent during quiet hours too if its reader allows it. */
  isUrgent: boolean
  /** Whether it is caused by an issue, which a person acknowledges. */
  isAlert?: true
  /** Good news: staff finds it in the list, and the bell does not count it. */
  isNews?: true
  /** Roles that can get it, if one of the modules opens it to them. */
  roles: readonly Role[]
  modules: readonly ModuleKey[]
  needs: AccessMode
  /** The channels of a role until a user chooses others. Everyone who can get it has it in the bell. */
  defaults: Partial<Record<Role, readonly NotificationChannel[]>>
  /** Whether the settings offer it. Nothing causes the others yet. */
  isOffered: boolean
}

const staff = ['admin', 'sales'] as const
const both = ['mail', 'push'] as const
const push = ['push'] as const
const mail = ['mail'] as const
const ofFleet = {
  group: 'Trucks on shift',
  roles: staff,
  modules: ['overview'],
  needs: 'view',
  isOffered: true,
} as const
const ofDrivers = {
  group: 'Shifts',
  roles: ['driver'],
  modules: ['schedule', 'userSchedule', 'dailySchedule'],
  needs: 'view',
  isUrgent: true,
  defaults: { driver: both },
  isOffered: true,
} as const
const ofDispatch = { group: 'Shifts', roles: staff, modules: ['schedule'], needs: 'edit' } as const
const ofAdmins = { group: 'Technology', roles: ['admin'], modules: ['users'], needs: 'edit', isOffered: true } as const

/** Everything that people are notified of: who can get it, how urgent it is, and how it reaches them by default. */
export const notificationKindTable = {
  truckDark: {
    ...ofFleet,
    label: 'Truck dark',
    description: 'A truck on a shift has logged no plays for a while.',
    isUrgent: true,
    isAlert: true,
    defaults: { admin: both, sales: push },
  },
  truckSilent: {
    ...ofFleet,
    label: 'Truck silent',
    description: 'A truck on a shift has sent no GPS position for a while.',
    isUrgent: true,
    isAlert: true,
    defaults: { admin: push },
  },
  outsideMarket: {
    ...ofFleet,
    label: 'Truck outside its market',
    description: 'A truck on a shift has left its market.',
    isUrgent: true,
    isAlert: true,
    defaults: { admin: push },
  },
  truckProblem: {
    ...ofFleet,
    label: 'Problem reported',
    description: 'A driver or dispatch reports an accident, a mechanical problem or a problem with a screen.',
    isUrgent: true,
    isAlert: true,
    defaults: { admin: both },
  },
  alertEscalated: {
    ...ofFleet,
    label: 'Alert not acknowledged',
    description: 'An urgent alert is still open, and no one has started work on it.',
    isUrgent: true,
    isAlert: true,
    defaults: { admin: both },
  },
  issueAssigned: {
    ...ofFleet,
    label: 'Issue assigned to you',
    description: 'A colleague assigns an issue of a truck to you.',
    isUrgent: true,
    defaults: { admin: both, sales: both },
  },
  shiftLate: {
    ...ofDispatch,
    label: 'Late shift',
    description: 'A shift has not started although its time has come.',
    isUrgent: true,
    defaults: { admin: push, sales: push },
    isOffered: true,
  },
  noShow: {
    ...ofDispatch,
    label: 'No-show',
    description: 'A shift has not started for so long that it counts as a no-show.',
    isUrgent: true,
    defaults: { admin: both, sales: push },
    isOffered: true,
  },
  shiftDeclined: {
    ...ofDispatch,
    label: 'Shift declined',
    description: 'A driver declines a shift.',
    isUrgent: true,
    defaults: { admin: both, sales: both },
    isOffered: true,
  },
  driverMessage: {
    ...ofDispatch,
    label: 'Message from a driver',
    description: 'A driver writes to dispatch about a shift.',
    isUrgent: true,
    defaults: { admin: push, sales: push },
    isOffered: true,
  },
  truckRequested: {
    ...ofDispatch,
    label: 'Another truck requested',
    description: 'A driver stands at another truck than planned and asks for a change of the shift.',
    isUrgent: true,
    defaults: { admin: push, sales: push },
    isOffered: true,
  },
  shiftGiven: { ...ofDrivers, label: 'New shift', description: 'A shift is planned for you.' },
  shiftMoved: {
    ...ofDrivers,
    label: 'Shift changed',
    description: 'Day, hours, truck or market of one of your shifts change.',
  },
  shiftCancelled: {
    ...ofDrivers,
    label: 'Shift canceled',
    description: 'One of your shifts is canceled or given to another driver.',
  },
  dispatchMessage: {
    ...ofDrivers,
    label: 'Message from dispatch',
    description: 'Dispatch writes to you about one of your shifts.',
  },
  photoWaiting: {
    group: 'Programs',
    label: 'Photos to approve',
    description: 'Photos of a program wait for approval.',
    isUrgent: false,
    roles: staff,
    modules: ['pop'],
    needs: 'edit',
    defaults: { sales: mail },
    isOffered: true,
  },
  campaignBehind: {
    group: 'Programs',
    label: 'Program behind',
    description: 'Of the shift hours planned until now, less than 90% were driven.',
    isUrgent: false,
    roles: staff,
    modules: ['clients'],
    needs: 'view',
    defaults: { admin: mail, sales: mail },
    isOffered: true,
  },
  playsDropped: {
    group: 'Programs',
    label: 'Figures dropped',
    description:
      'A program loses more than 10 plays, or more than 1% of its plays, hours or miles, that were already counted.',
    isUrgent: false,
    roles: staff,
    modules: ['clients'],
    needs: 'view',
    defaults: { admin: mail, sales: mail },
    isOffered: true,
  },
  reportReady: {
    group: 'Programs',
    label: 'Report ready',
    description: 'The POP of a program is published.',
    isUrgent: false,
    isNews: true,
    roles: ['admin', 'sales', 'client'],
    modules: ['pop'],
    needs: 'view',
    defaults: { client: both },
    isOffered: true,
  },
  proposalAccepted: {
    group: 'Programs',
    label: 'Proposal accepted',
    description: 'A client accepts a proposal.',
    isUrgent: true,
    isNews: true,
    roles: staff,
    modules: ['clients'],
    needs: 'edit',
    defaults: { admin: push, sales: both },
    isOffered: true,
  },
  deviceOffline: {
    group: 'Technology',
    label: 'Device offline',
    description: 'The player of a truck has not been in touch for a while.',
    isUrgent: false,
    roles: staff,
    modules: ['trucks'],
    needs: 'view',
    defaults: { admin: push },
    isOffered: true,
  },
  counterJumped: {
    group: 'Technology',
    label: 'Play counter jumped',
    description:
      'A player skipped more than 10,000 play numbers; someone has to decide whether these plays are missing.',
    isUrgent: false,
    roles: staff,
    modules: ['overview'],
    needs: 'view',
    defaults: { admin: mail },
    isOffered: true,
  },
  backupFailed: {
    ...ofAdmins,
    label: 'Backup failed',
    description: 'A backup could not be completed.',
    isUrgent: true,
    defaults: { admin: both },
  },
  storageFull: {
    ...ofAdmins,
    label: 'Storage filling up',
    description: 'The disk that holds the data or the files has little space left.',
    isUrgent: true,
    defaults: { admin: both },
  },
  webhookPaused: {
    ...ofAdmins,
    label: 'Webhook paused',
    description: 'A webhook was paused because its receiver did not take events.',
    isUrgent: false,
    defaults: { admin: mail },
  },
} as const satisfies Record<string, NotificationKindDeclaration>

export type NotificationKind = keyof typeof notificationKindTable
/** The kinds that drivers can get: these are written in each language. */
export type DriverNotificationKind = {
  [Kind in NotificationKind]: 'driver' extends (typeof notificationKindTable)[Kind]['roles'][number] ? Kind : never
}[NotificationKind]
export type StaffNotificationKind = Exclude<NotificationKind, DriverNotificationKind>
export const notificationKinds = Object.keys(notificationKindTable) as [NotificationKind, ...NotificationKind[]]

/** The row of a kind. */
export const notificationKindOf = (kind: NotificationKind): NotificationKindDeclaration => notificationKindTable[kind]

export const isForDrivers = (kind: NotificationKind): kind is DriverNotificationKind =>
  notificationKindOf(kind).roles.includes('driver')

/** Whether a user's role and modules let them get a kind. It does not decide which rows they may see. */
export function mayReceive(user: UserPermissions, kind: NotificationKind): boolean {
  const { roles, modules, needs } = notificationKindOf(kind)
  return roles.includes(user.role) && rowAccessOf(user, modules, needs) !== undefined
}

/** Whether a kind reaches a user of a role by a channel until the user chooses otherwise. */
export const isOnByDefault = (role: Role, kind: NotificationKind, channel: NotificationChannel): boolean =>
  notificationKindOf(kind).defaults[role]?.includes(channel) ?? false

/** When the digest of a role is sent until a user chooses otherwise; null where everything is sent at once. */
export const defaultDigest: Record<Role, string | null> = { admin: '08:00', sales: '08:00', driver: null, client: null }
