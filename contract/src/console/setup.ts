import { instant, one, requiredLine } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import * as z from '../platform/zod.ts'
import { email, newPassword } from '../accounts/sign-in.ts'
import { editSetup } from './setup-access.ts'

/** What a new company needs until its first proof, in the order in which it is usually done. */
export const setupKeys = [
  'company',
  'markets',
  'trucks',
  'drivers',
  'clients',
  'program',
  'artwork',
  'tracker',
  'screens',
  'mail',
  'secondFactor',
  'shift',
  'play',
  'photo',
  'pop',
] as const
export type SetupKey = (typeof setupKeys)[number]

/** `waiting`: someone did their part, and the answer of a tracker, a screen or a person is still to come. */
export const setupStates = ['done', 'waiting', 'open'] as const
export type SetupState = (typeof setupStates)[number]

const setupRow = z.strictObject({
  key: z.enum(setupKeys),
  state: z.enum(setupStates),
  /** One sentence about what is there or missing. */
  text: z.string(),
  /** When the newest of it arrived, such as a position. */
  at: instant.nullable(),
})
export type SetupRow = z.infer<typeof setupRow>

/** The steps of the greeting; each is a form that stands elsewhere too. */
export const greetingSteps = ['company', 'markets', 'pay', 'dates'] as const
export type GreetingStep = (typeof greetingSteps)[number]

const setupState = z.strictObject({
  /** The first step of the greeting that was neither done nor skipped; null where no one is greeted. */
  greeting: z.enum(greetingSteps).nullable(),
  /** Whether the list is still of use: no proof was published, and no one put it away. */
  isUnfinished: z.boolean(),
  done: z.int(),
  total: z.int(),
  rows: z.array(setupRow),
})
export type Setup = z.infer<typeof setupState>

const standing = z.strictObject({
  /** The first step of the greeting that is left; null where no one is greeted. */
  greeting: z.enum(greetingSteps).nullable(),
  isUnfinished: z.boolean(),
  /** `loaded`: the data are those of the demo and may be emptied; `emptying`: an admin has asked for it. */
  demo: z.enum(['loaded', 'emptying']).nullable(),
})
export type SetupStanding = z.infer<typeof standing>

/** What an admin types to empty the demo. */
export const DELETE_THE_DEMO = 'delete the demo'

export const setup = {
  get: endpoint({
    method: 'GET',
    path: 'setup/',
    access: editSetup,
    keys: false,
    summary: 'What a new company has and lacks until its first published proof of play, from its data.',
    follows: [
      'account',
      'artwork',
      'clients',
      'connections',
      'devices',
      'fleet',
      'markets',
      'messages',
      'photos',
      'pops',
      'programs',
      'screens',
      'settings',
      'setup',
      'shifts',
      'trucks',
      'users',
    ],
    // Much of it arrives from trackers, screens and phones, which announce nothing before the first shift.
    atLeastEvery: ({ isUnfinished }: Setup) => (isUnfinished ? 5 : undefined),
    added: true,
    reply: one(setupState),
  }),
  passStep: endpoint({
    method: 'PUT',
    path: 'setup/greeting',
    access: editSetup,
    keys: false,
    summary: 'Notes that a step of the greeting was done or skipped.',
    added: true,
    repeatable: true,
    body: z.strictObject({ step: z.enum(greetingSteps) }),
    reply: one(setupState),
  }),
  dismiss: endpoint({
    method: 'PUT',
    path: 'setup/dismissed',
    access: editSetup,
    keys: false,
    summary: 'Puts the list away, or takes it out again.',
    added: true,
    repeatable: true,
    body: z.strictObject({ isDismissed: z.boolean('Must be true or false.') }),
    reply: one(setupState),
  }),
  standing: endpoint({
    method: 'GET',
    path: 'setup/standing',
    access: editSetup,
    keys: false,
    summary: 'Whether there is anything left to set up, and whether the data are those of the demo.',
    follows: ['pops', 'setup'],
    added: true,
    reply: one(standing),
  }),
  emptyDemo: endpoint({
    method: 'POST',
    path: 'setup/empty-demo',
    access: editSetup,
    keys: false,
    summary:
      'Deletes everything of the demo, its files included, and leaves one admin. Answers 409 wherever the data are not the demo’s.',
    added: true,
    body: z.strictObject({
      confirm: z.string().max(80),
      /** The admin who is left. */
      name: requiredLine(120),
      email,
      password: newPassword,
    }),
    reply: one(z.strictObject({ email: z.string() })),
  }),
}
