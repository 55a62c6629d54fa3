/**
 * What can change, and the first words of the calls that change it. The server announces changes of shifts, issues,
 * photos, screens, proposals and notifications to every page that may see them, and moving trucks as `fleet`; changes of
 * the others are known to the page that made them.
 */
export const subjects = {
  account: ['authentication', 'push'],
  addresses: ['gps-address-sets'],
  apiKeys: ['api-keys'],
  artwork: ['artwork-sets'],
  campaigns: ['campaigns'],
  clients: ['clients'],
  connections: ['services'],
  devices: ['devices', 'screen-pairings'],
  fleet: [],
  impressions: ['impressions'],
  imports: ['imports'],
  incidents: ['incidents'],
  inspections: ['inspection-items', 'inspections'],
  issues: ['issues'],
  markets: ['markets'],
  messages: ['messages'],
  notifications: ['notifications'],
  outOfService: ['out-of-service'],
  payroll: ['payroll'],
  photos: [],
  pixelMaps: ['pixel'],
  pops: ['client-pop', 'pop'],
  programs: ['client-programs', 'programs'],
  proposals: ['sales-proposals'],
  screens: [],
  settings: ['settings'],
  setup: ['setup'],
  shifts: ['program-schedule', 'program-user-schedule', 'daily-schedule', 'overview'],
  trackers: ['position-sources', 'truck-trackers'],
  trucks: ['trucks'],
  users: ['user'],
  webhooks: ['webhooks', 'webhook-deliveries'],
} as const satisfies Record<string, readonly string[]>

export type Subject = keyof typeof subjects

/** What the server announces: after a lost connection any of it may have changed. */
export const announced = ['fleet', 'issues', 'notifications', 'photos', 'proposals', 'screens', 'shifts'] as const

/** Something changed: what, and as far as it is known where. */
export interface Change {
  subject: Subject
  /** Only records of these days. */
  days?: { from: string; to: string }
  /** Only records of this truck. */
  truckUid?: string
  /** The record that was deleted: reading it again would only answer that it is gone. */
  removed?: string
}

/** What a read was asked for. */
export interface Asked {
  params?: Record<string, unknown> | undefined
  query?: Record<string, unknown> | undefined
}

/** What a change is about that a call makes; undefined if no read follows it. */
export function subjectOf({ path }: { path: string }): Subject | undefined {
  const [word = ''] = path.split('/')
  return (Object.keys(subjects) as Subject[]).find((subject) => (subjects[subject] as readonly string[]).includes(word))
}

/** How a read says what makes its answer old. */
export interface Follows {
  /**
   * Pages that show the answer ask again when one of these changes. Empty: it stays as it was when it was asked for.
   */
  follows?: readonly Subject[]
  /** Whether a change concerns what was asked for. Without it, every change does. */
  concerns?: (change: Change, asked: Asked) => boolean
  /** Pages ask again after this many seconds at the latest, if need be depending on the data they have. */
  atLeastEvery?: number | ((data: never, asked: Asked) => number | undefined)
  /** However much others change, pages ask again after this many seconds at the earliest; 2 unless said. */
  atMostEvery?: number
}

/** Whether a change makes old what a read has answered. */
export const isMadeOld = ({ follows = [], concerns }: Follows, asked: Asked, change: Change): boolean =>
  follows.includes(change.subject) &&
  (change.removed === undefined || asked.params?.['uid'] !== change.removed) &&
  (concerns?.(change, asked) ?? true)

/** For a read of the days from one to another: changes of other days do not concern it. */
export const concernsDays = ({ days }: Change, { query }: Asked): boolean => {
  const { from, to } = (query ?? {}) as { from?: string; to?: string }
  return !days || ((to === undefined || days.from <= to) && (from === undefined || days.to >= from))
}
