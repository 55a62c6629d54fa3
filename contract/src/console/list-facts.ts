import * as z from '../platform/zod.ts'
import { anyOf, day, namedRef, one, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { liveState } from '../live/fleet.ts'
import { paceStates } from '../proof/delivery.ts'

// What the lists of trucks, programs, clients and users answer beside their records, for the rows of a page.

/** The next planned shift of a truck, a program or a driver. */
const nextShift = z.strictObject({
  uid,
  date: day,
  start: z.string(),
  end: z.string(),
  zone: z.string(),
  market: z.string(),
})

const truckFacts = z.strictObject({
  uid,
  /** Null for a retired truck. */
  state: liveState.nullable(),
  /** The shift that has the truck at this moment. */
  shift: z.strictObject({ uid, program: z.string(), driver: z.string() }).nullable(),
  nextShift: nextShift.extend({ program: z.string(), driver: z.string() }).nullable(),
  /** Shifts that are planned from now on. */
  shiftsPlanned: z.int(),
  /** Not resolved and not snoozed. */
  openIssues: z.int(),
  /** From Monday to now by the truck's own days; null without data. */
  weekMetres: z.number().nullable(),
})
export type TruckFacts = z.infer<typeof truckFacts>

const programFacts = z.strictObject({
  uid,
  pace: z.number().nullable(),
  state: z.enum(paceStates),
  /** The prices of its booked lines, and the part of them that is delivered; null without prices. */
  bookedCents: z.int().nullable(),
  deliveredCents: z.int().nullable(),
  nextShift: nextShift.nullable(),
  /** Shifts that are planned from now on. */
  shiftsPlanned: z.int(),
  /** Trucks that are on a shift of the program at this moment. */
  trucksOut: z.int(),
})
export type ProgramFacts = z.infer<typeof programFacts>

const clientFacts = z.strictObject({
  uid,
  /** Programs that run today, paused ones included. */
  running: z.int(),
  /** What is booked for the days of this month; null without prices. */
  monthCents: z.int().nullable(),
})
export type ClientFacts = z.infer<typeof clientFacts>

const userFacts = z.strictObject({
  uid,
  /** Paid actual hours of this week, as Payroll counts them; null for users without a shift this week. */
  weekMinutes: z.int().nullable(),
  nextShift: nextShift.extend({ truck: namedRef, program: z.string() }).nullable(),
})
export type UserFacts = z.infer<typeof userFacts>

export const listFacts = {
  trucks: endpoint({
    method: 'GET',
    path: 'trucks/facts',
    access: { module: 'trucks', needs: 'view' },
    summary:
      'What trucks do at this moment, their next shifts, open issues and miles of this week; at most 100 at once.',
    follows: ['trucks', 'shifts', 'issues', 'fleet'],
    atLeastEvery: 60,
    atMostEvery: 10,
    added: true,
    query: z.strictObject({ truck: anyOf(uid) }),
    reply: one(z.array(truckFacts)),
  }),
  programs: endpoint({
    method: 'GET',
    path: 'client-programs/facts',
    access: { module: 'clients', needs: 'view' },
    ownRows: 'hours',
    summary: 'Pace, value and next shift of programs; at most 100 at once. A user of role client sees their own.',
    follows: ['programs', 'shifts'],
    atLeastEvery: 300,
    atMostEvery: 30,
    added: true,
    query: z.strictObject({ program: anyOf(uid) }),
    reply: one(z.array(programFacts)),
  }),
  clients: endpoint({
    method: 'GET',
    path: 'clients/facts',
    access: { module: 'clients', needs: 'view' },
    ownRows: 'records',
    summary: 'Running programs of clients and what is booked this month; at most 100 at once.',
    follows: ['clients', 'programs'],
    added: true,
    query: z.strictObject({ client: anyOf(uid) }),
    reply: one(z.array(clientFacts)),
  }),
  users: endpoint({
    method: 'GET',
    path: 'user/facts',
    access: { module: 'users', needs: 'view' },
    summary: 'Hours of this week and the next shift of users who drive; at most 100 at once.',
    follows: ['users', 'shifts', 'payroll'],
    atMostEvery: 30,
    added: true,
    query: z.strictObject({ user: anyOf(uid) }),
    reply: one(z.array(userFacts)),
  }),
}
