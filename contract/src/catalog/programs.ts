import * as z from '../platform/zod.ts'
import {
  anyOf,
  day,
  instant,
  listQuery,
  namedRef,
  one,
  page,
  paragraph,
  requiredLine,
  uid,
  version,
} from '../platform/common.ts'
import { formatDay } from '../platform/dates.ts'
import { dependentsEndpoint, removeEndpoint, restoreEndpoint } from '../platform/deletion.ts'
import { endpoint } from '../platform/endpoint.ts'
import { historyEndpoint } from '../platform/history.ts'
import { isPopName } from '../platform/permissions.ts'
import { bookedLine, bookedLineInputs, wrongBookedLines } from './booked-lines.ts'

export const programStatuses = ['draft', 'active', 'paused', 'completed'] as const
export const programStatusLabel: Record<ProgramStatus, string> = {
  draft: 'Draft',
  active: 'Active',
  paused: 'Paused',
  completed: 'Completed',
}
export const programStatus = z.enum(programStatuses, 'Choose draft, active, paused or completed.')
export type ProgramStatus = z.infer<typeof programStatus>

/** What a program may become next. A completed one can run again: campaigns get extended. */
const moves: Record<ProgramStatus | 'new', readonly ProgramStatus[]> = {
  new: ['draft', 'active'],
  draft: ['active'],
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: ['active'],
}

/** The statuses that a program may be saved with, given the one it has: that one, and what it may become. */
export const statusesFrom = (status: ProgramStatus | undefined): ProgramStatus[] =>
  programStatuses.filter((each) => each === status || moves[status ?? 'new'].includes(each))

const MAX_POP_URL = 80

// Letters that Unicode does not decompose into a Latin letter and its mark.
const PLAIN: Record<string, string> = {
  '&': ' and ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
}

/** The address of the public page that a program's name suggests: `Café & Bar 2026` becomes `cafe-and-bar-2026`. */
export function proposePopUrl(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[&ßæœøłđðþ]/g, (letter) => PLAIN[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
  const url = words.slice(0, MAX_POP_URL).replace(/^-|-$/g, '')
  return url === '' || isPopName(url) ? url : `${url}-campaign`
}

/** A spot is never shorter or longer than this. */
export const SPOT_SECONDS = { min: 5, max: 120 } as const
const spotRange = `Must be a whole number from ${SPOT_SECONDS.min} to ${SPOT_SECONDS.max}, or empty.`
const spotSeconds = z.int(spotRange).min(SPOT_SECONDS.min, spotRange).max(SPOT_SECONDS.max, spotRange).nullable()

const popUrl = requiredLine(MAX_POP_URL)
  .regex(/^[A-Za-z0-9 -]*$/, 'Only letters, digits, hyphens and spaces.')
  // The check ignores case, because people confuse /programs/Pop and /programs/pop.
  .refine((given) => given === '' || isPopName(given.toLowerCase()), 'This name is used by the console itself.')

/** A market of a program; without dates of its own it runs as long as the program. */
const programMarket = z.strictObject({
  uid,
  name: z.string(),
  zone: z.string(),
  startsOn: day.nullable(),
  endsOn: day.nullable(),
})
export type ProgramMarket = z.infer<typeof programMarket>

export const program = z.strictObject({
  uid,
  client: namedRef,
  name: z.string(),
  status: programStatus,
  startsOn: day,
  endsOn: day,
  popUrl: z.string(),
  markets: z.array(programMarket),
  /** What the client is promised. */
  bookedLines: z.array(bookedLine),
  /** How long each spot lasts on LED trucks; null for as long as its artwork. */
  spotSeconds,
  note: z.string(),
  createdAt: instant,
  updatedAt: instant,
  version,
})
export type Program = z.infer<typeof program>

const marketInput = z.strictObject({
  marketUid: z.uuid('Choose a market.'),
  startsOn: day.nullable().prefault(null),
  endsOn: day.nullable().prefault(null),
})

interface Dated {
  startsOn: string
  endsOn: string
  markets: { marketUid: string; startsOn: string | null; endsOn: string | null }[]
}

/** Everything wrong with a program's dates and those of its markets: where, and in a sentence. */
function* wrongDates({ startsOn, endsOn, markets }: Dated): Generator<[path: (string | number)[], message: string]> {
  if (endsOn < startsOn) yield [['endsOn'], 'Must not be before the start.']
  const chosen = new Set<string>()
  for (const [index, market] of markets.entries()) {
    if (chosen.has(market.marketUid)) yield [['markets', index, 'marketUid'], 'This market is listed already.']
    chosen.add(market.marketUid)
    for (const name of ['startsOn', 'endsOn'] as const) {
      const given = market[name]
      if (given === null) continue
      if (given < startsOn) yield [['markets', index, name], `The program starts on ${formatDay(startsOn)}.`]
      if (given > endsOn) yield [['markets', index, name], `The program ends on ${formatDay(endsOn)}.`]
    }
    if (market.startsOn && market.endsOn && market.endsOn < market.startsOn) {
      yield [['markets', index, 'endsOn'], 'Must not be before the start.']
    }
  }
}

export const programInput = z
  .strictObject({
    clientUid: z.uuid('Choose a client.'),
    name: requiredLine(120),
    status: programStatus,
    startsOn: day,
    endsOn: day,
    popUrl,
    markets: z.array(marketInput).max(200, 'At most 200 markets.').prefault([]),
    /** Absent: as they are. */
    bookedLines: bookedLineInputs.optional(),
    /** Absent means unchanged, so that older callers do not clear it. */
    spotSeconds: spotSeconds.optional(),
    note: paragraph(2000).prefault(''),
  })
  .superRefine((given, context) => {
    for (const [path, message] of wrongDates(given)) context.addIssue({ code: 'custom', path, message })
    for (const [index, field, message] of wrongBookedLines(given, given.bookedLines ?? [])) {
      context.addIssue({ code: 'custom', path: ['bookedLines', index, field], message })
    }
  })
export type ProgramInput = z.input<typeof programInput>

const view = { module: 'clients', needs: 'view' } as const
const edit = { module: 'clients', needs: 'edit' } as const

export const programs = {
  list: endpoint({
    method: 'GET',
    path: 'client-programs/run',
    access: view,
    ownRows: 'records',
    summary: 'Client programs, searched in name, popUrl and note. A user of role client sees their own client’s.',
    follows: ['programs', 'clients'],
    query: listQuery(['name', 'progress', 'status', 'startsOn', 'endsOn', 'updatedAt'], {
      client: anyOf(uid).optional(),
      status: anyOf(programStatus).optional(),
      /** Whether completed programs are among them; they are unless hidden. */
      completed: z.enum(['shown', 'hidden'], 'Must be shown or hidden.').optional(),
      market: anyOf(uid).optional(),
      /** A day within the program's dates. */
      runningOn: day.optional(),
      uid: anyOf(uid).optional(),
    }),
    reply: page(program),
  }),
  get: endpoint({
    method: 'GET',
    path: 'client-programs/{uid}',
    access: view,
    ownRows: 'records',
    summary: 'One client program, as its drawer opens it from a link.',
    follows: ['programs'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(program),
  }),
  create: endpoint({
    method: 'POST',
    path: 'client-programs/',
    access: edit,
    summary: 'Adds a client program with its markets and booked lines.',
    body: programInput,
    reply: one(program),
  }),
  update: endpoint({
    method: 'PUT',
    path: 'client-programs/',
    access: edit,
    summary: 'Changes a client program, its markets and its booked lines. An old version answers 409.',
    body: programInput.safeExtend({ uid, version }),
    reply: one(program),
  }),
  copy: endpoint({
    method: 'POST',
    path: 'client-programs/copy',
    access: edit,
    summary:
      'Adds a draft with the markets, booked lines and spot length of a program; all its dates move with the chosen start.',
    added: true,
    body: z.strictObject({ uid, name: requiredLine(120), popUrl, startsOn: day }),
    reply: one(program),
  }),
  remove: removeEndpoint({
    path: 'client-programs',
    access: edit,
    summary: 'Deletes a client program; its history is kept.',
  }),
  dependents: dependentsEndpoint({ path: 'client-programs', access: edit }),
  restore: restoreEndpoint({ path: 'client-programs', access: edit }),
  history: historyEndpoint('client-programs', view, { ownRows: 'records' }),
}
