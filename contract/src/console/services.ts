import * as z from '../platform/zod.ts'
import { editSettings } from '../catalog/settings-access.ts'
import { instant, one } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'

const awayService = z.strictObject({
  /** Its name at /readyz and in the metrics. */
  service: z.string(),
  /** As sentences begin: "The file storage". */
  label: z.string(),
  since: instant,
  /** What does not work meanwhile, as a sentence. */
  effect: z.string(),
})
export type AwayService = z.infer<typeof awayService>

/** Work that the nodes repeat by themselves. */
const backgroundJob = z.strictObject({
  name: z.string(),
  /** What it does, as a sentence. */
  what: z.string(),
  everySeconds: z.number(),
  runsOn: z.enum(['cluster', 'node']),
  /** How its last run ended, on any node; null before the first. `more`: its time was up, and it goes on. */
  lastRun: z
    .strictObject({ endedAt: instant, outcome: z.enum(['done', 'more', 'failed']), seconds: z.number() })
    .nullable(),
})
export type BackgroundJob = z.infer<typeof backgroundJob>

/** What the server talks to, in the order in which people look for it. */
export const connectionGroupLabel = {
  trackers: 'Trackers',
  storage: 'File storage',
  mail: 'Email',
  push: 'Push notifications',
  signOn: 'Single sign-on',
  geocoder: 'Geocoder',
  map: 'Map file',
  webhooks: 'Webhooks',
  feeds: 'Feeds',
} as const
export type ConnectionGroup = keyof typeof connectionGroupLabel

export const connectionStateLabel = {
  working: 'Working',
  failing: 'Failing',
  untried: 'Not used yet',
  off: 'Not set up',
} as const
export type ConnectionState = keyof typeof connectionStateLabel

/** What an admin does in the console to switch a connection on. The label is that of its button. */
export const connectionStepLabel = {
  connectGeotab: 'Connect MyGeotab',
  connectSamsara: 'Connect Samsara',
  addSource: 'Add a position source',
  renewKey: 'Open position sources',
  turnOnPush: 'Turn on notifications',
  addWebhook: 'Add a webhook',
  addApiKey: 'Create an API key',
} as const
export type ConnectionStep = keyof typeof connectionStepLabel

const connection = z.strictObject({
  /** The group, and for trackers the source too. */
  key: z.string(),
  group: z.enum(Object.keys(connectionGroupLabel) as [ConnectionGroup, ...ConnectionGroup[]]),
  name: z.string(),
  /** What it is connected to, and what happens without it. */
  detail: z.string(),
  state: z.enum(Object.keys(connectionStateLabel) as [ConnectionState, ...ConnectionState[]]),
  /** When it worked last, in use or in a test. */
  lastSuccessAt: instant.nullable(),
  /** The newest problem, as a sentence. */
  lastError: z.string().nullable(),
  lastErrorAt: instant.nullable(),
  /** Where it is set up: in the settings of the server, or on a screen of the console. */
  setUpIn: z.enum(['server', 'console']),
  canTest: z.boolean(),
  /** How it is switched on, and the step that begins it in the console; null unless it is off. */
  turnOn: z
    .strictObject({
      text: z.string(),
      /** Null where the settings of the server decide. */
      step: z.enum(Object.keys(connectionStepLabel) as [ConnectionStep, ...ConnectionStep[]]).nullable(),
    })
    .nullable(),
})
export type Connection = z.infer<typeof connection>

export const services = {
  connections: endpoint({
    method: 'GET',
    path: 'services/connections',
    access: { role: 'admin' },
    summary:
      'What the server is connected to: trackers, storage, mail and the others, each with its state and its last problem.',
    follows: ['connections', 'trackers', 'webhooks', 'apiKeys', 'fleet'],
    atMostEvery: 10,
    atLeastEvery: 15,
    added: true,
    reply: one(z.array(connection)),
  }),
  testConnection: endpoint({
    method: 'POST',
    path: 'services/connections/test',
    access: { role: 'admin' },
    summary: 'Tests a connection now, as it is used, and answers with the result in words.',
    rate: 'report',
    added: true,
    repeatable: true,
    body: z.strictObject({ key: z.string().min(1).max(80) }),
    reply: one(z.strictObject({ isWorking: z.boolean(), text: z.string() })),
  }),
  away: endpoint({
    method: 'GET',
    path: 'services/away',
    access: editSettings,
    summary: 'The services outside that the answering node has lost, and the effects until they are back.',
    follows: [],
    atLeastEvery: 60,
    added: true,
    reply: one(z.array(awayService)),
  }),
  jobs: endpoint({
    method: 'GET',
    path: 'services/jobs',
    access: editSettings,
    summary: 'Every job that the nodes repeat by themselves, with how its last run ended.',
    follows: [],
    atLeastEvery: 30,
    added: true,
    reply: one(z.array(backgroundJob)),
  }),
}
