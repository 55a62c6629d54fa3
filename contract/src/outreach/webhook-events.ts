import { permissionTable } from '../platform/permissions.ts'
import type { ModuleKey } from '../platform/permissions.ts'

// This file has no schemas, so that a page that needs only these words does not load zod.

interface WebhookEventDeclaration {
  label: string
  /** When it is sent, as a sentence. */
  description: string
  /** The module that shows the same in the console. */
  module: ModuleKey
}

/** Everything that webhooks can send. */
export const webhookEventTable = {
  'shift.changed': {
    label: 'Shift changed',
    description: 'A shift was added, moved, given to another driver or truck, started, completed or canceled.',
    module: 'overview',
  },
  'play.batch': {
    label: 'New plays',
    description:
      'Plays of a program arrived, were corrected or withdrawn. At most one event a minute for each program, with how many of each.',
    module: 'overview',
  },
  'photo.approved': {
    label: 'Photo approved',
    description: 'A photo was approved for the POP.',
    module: 'pop',
  },
  'photo.deleted': {
    label: 'Photo deleted',
    description: 'An approved photo was deleted.',
    module: 'pop',
  },
  'photo.restored': {
    label: 'Photo restored',
    description: 'A deleted photo that is approved was restored.',
    module: 'pop',
  },
  'program.deleted': {
    label: 'Program deleted',
    description: 'A program was deleted. Its feeds end.',
    module: 'clients',
  },
  'program.restored': {
    label: 'Program restored',
    description: 'A deleted program was restored. Its feeds go on.',
    module: 'clients',
  },
  'pop.published': {
    label: 'POP published',
    description: 'A new version of a POP page was published.',
    module: 'pop',
  },
  'issue.opened': {
    label: 'Issue opened',
    description: 'A truck on a shift went dark, went silent or has another problem.',
    module: 'overview',
  },
  'issue.resolved': { label: 'Issue resolved', description: 'The problem of a truck ended.', module: 'overview' },
  'period.locked': { label: 'Pay period locked', description: 'A pay period was locked.', module: 'payroll' },
  'delivery.behind': {
    label: 'Campaign behind',
    description: 'A program delivers less than was booked for it so far.',
    module: 'overview',
  },
  'proposal.accepted': {
    label: 'Proposal accepted',
    description: 'A client accepted a proposal.',
    module: 'clients',
  },
} as const satisfies Record<string, WebhookEventDeclaration>

export type WebhookEvent = keyof typeof webhookEventTable
export const webhookEvents = Object.keys(webhookEventTable) as [WebhookEvent, ...WebhookEvent[]]

/** The event of a test. It is not chosen: *Send test event* sends it. */
export const WEBHOOK_TEST = 'webhook.test'

export const webhookEventLabel = {
  ...(Object.fromEntries(webhookEvents.map((event) => [event, webhookEventTable[event].label])) as Record<
    WebhookEvent,
    string
  >),
  [WEBHOOK_TEST]: 'Test',
}

/** The modules that events belong to. */
export const webhookModules = (events: readonly WebhookEvent[]): ModuleKey[] => [
  ...new Set(events.map((event) => webhookEventTable[event].module)),
]

/** The events that an endpoint of one client can get: those that users of the client see as well. */
export const clientWebhookEvents: readonly WebhookEvent[] = webhookEvents.filter(
  (event) => permissionTable[webhookEventTable[event].module].client !== 'none',
)
