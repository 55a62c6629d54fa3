import {
  type GreetingStep,
  greetingSteps,
  type Setup,
  type SetupKey,
  setupKeys,
  type SetupRow,
  type SetupState,
} from '@roadshow/contract'

/** What the list of a new company is derived from. */
export interface SetupFacts {
  hasCompanyName: boolean
  markets: number
  marketsWithArea: number
  trucks: number
  ledTrucks: number
  drivers: number
  clients: number
  programs: number
  approvedSets: number
  /** Sets that wait for approval. */
  draftSets: number
  /** Whether positions can come from anywhere. */
  hasTracker: boolean
  /** Trucks that have an id at a tracker. */
  trackedTrucks: number
  /** Ids that send positions and belong to no truck. */
  unknownTrackers: number
  /** What was wrong with what a tracker sent last, in a sentence. */
  trackerProblem: string | null
  /** The newest position that a tracker sent, with its truck. */
  position: { at: string; truck: string } | null
  pairedScreens: number
  screenSeenAt: string | null
  /** Whether mails leave the building. */
  hasMailServer: boolean
  mailSentAt: string | null
  /** Why the newest mail could not be delivered, if it came after the last that was. */
  mailProblem: string | null
  hasSecondFactor: boolean
  shifts: number
  /** When a shift begins that is still to come. */
  nextShiftAt: string | null
  hasPlays: boolean
  playedAt: string | null
  approvedPhotos: number
  waitingPhotos: number
  publishedPops: number
}

/** What a company noted about the list itself. */
export interface SetupNotes {
  /** Null for companies that worked before there was a list. */
  startedAt: string | null
  passedSteps: readonly string[]
  dismissedAt: string | null
}

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`

type Judged = readonly [state: SetupState, text: string, at?: string | null]

const doneIf = (count: number, one: string, missing: string, many?: string): Judged =>
  count > 0 ? ['done', counted(count, one, many)] : ['open', missing]

/** How far each line of the list is. */
const judges: Record<SetupKey, (facts: SetupFacts) => Judged> = {
  company: ({ hasCompanyName }) => (hasCompanyName ? ['done', 'The company has a name'] : ['open', 'No name yet']),
  markets: ({ markets, marketsWithArea }) =>
    markets > 0 && marketsWithArea < markets
      ? ['waiting', `${counted(markets, 'market')}, ${markets - marketsWithArea} without an area`]
      : doneIf(markets, 'market', 'No market yet'),
  trucks: ({ trucks }) => doneIf(trucks, 'truck', 'No truck yet'),
  drivers: ({ drivers }) => doneIf(drivers, 'driver', 'No driver yet'),
  clients: ({ clients }) => doneIf(clients, 'client', 'No client yet'),
  program: ({ programs }) => doneIf(programs, 'program', 'No program yet'),
  artwork: ({ approvedSets, draftSets }) =>
    approvedSets === 0 && draftSets > 0
      ? ['waiting', `${counted(draftSets, 'set')} to approve`]
      : doneIf(approvedSets, 'approved set', 'No artwork yet'),
  tracker: judgeTracker,
  screens: ({ ledTrucks, pairedScreens, screenSeenAt }) => {
    if (pairedScreens > 0) return ['done', `${counted(pairedScreens, 'screen')} paired`, screenSeenAt]
    return ['open', ledTrucks > 0 ? `${counted(ledTrucks, 'LED truck')}, no screen paired yet` : 'No screen paired yet']
  },
  mail: ({ hasMailServer, mailSentAt, mailProblem }) => {
    if (!hasMailServer) return ['open', 'No mail server: emails are written to files of the server. Set SMTP_URL.']
    if (mailProblem !== null) return ['waiting', `The last email could not be delivered: ${mailProblem}`]
    return mailSentAt === null ? ['open', 'No email sent yet'] : ['done', 'Last email delivered', mailSentAt]
  },
  secondFactor: ({ hasSecondFactor }) =>
    hasSecondFactor ? ['done', 'Your account has a second factor'] : ['open', 'Your account has only a password'],
  shift: ({ shifts, nextShiftAt }) =>
    shifts > 0 ? ['done', nextShiftAt ? 'The next shift is planned' : 'Shifts are planned'] : ['open', 'No shift yet'],
  play: ({ hasPlays, playedAt, shifts, pairedScreens }) => {
    if (hasPlays) return ['done', 'Plays arrive', playedAt]
    return shifts > 0 && pairedScreens > 0
      ? ['waiting', 'No play yet: the screen plays when its shift begins']
      : ['open', 'No play yet']
  },
  photo: ({ approvedPhotos, waitingPhotos }) =>
    approvedPhotos === 0 && waitingPhotos > 0
      ? ['waiting', `${counted(waitingPhotos, 'photo')} to approve`]
      : doneIf(approvedPhotos, 'approved photo', 'No photo yet'),
  pop: ({ publishedPops }) => doneIf(publishedPops, 'published page', 'No page published yet'),
}

function judgeTracker({ hasTracker, trackedTrucks, unknownTrackers, trackerProblem, position }: SetupFacts): Judged {
  if (position) return ['done', `Last position of ${position.truck}`, position.at]
  if (!hasTracker) return ['open', 'No tracker connected yet']
  if (unknownTrackers > 0)
    return [
      'waiting',
      unknownTrackers === 1
        ? 'Positions arrive for 1 id that no truck has: give it to its truck'
        : `Positions arrive for ${unknownTrackers} ids that no truck has: give them to their trucks`,
    ]
  if (trackerProblem !== null) return ['waiting', `The last positions were refused: ${trackerProblem}`]
  return trackedTrucks > 0
    ? ['waiting', `${counted(trackedTrucks, 'truck')} connected, no position yet`]
    : ['waiting', 'The tracker is connected, and no truck has its device yet']
}

export const setupRows = (facts: SetupFacts): SetupRow[] =>
  setupKeys.map((key) => {
    const [state, text, at = null] = judges[key](facts)
    return { key, state, text, at }
  })

/** The first step that no one did or skipped, of a company that was just started. */
export const greetingOf = ({ startedAt, passedSteps }: SetupNotes): GreetingStep | null =>
  (startedAt !== null && greetingSteps.find((step) => !passedSteps.includes(step))) || null

/** The list is of use until the first published proof, unless someone put it away. */
export const isUnfinished = (facts: Pick<SetupFacts, 'publishedPops'>, notes: SetupNotes): boolean =>
  notes.startedAt !== null && notes.dismissedAt === null && facts.publishedPops === 0

export function setupOf(facts: SetupFacts, notes: SetupNotes): Setup {
  const rows = setupRows(facts)
  return {
    greeting: greetingOf(notes),
    isUnfinished: isUnfinished(facts, notes),
    done: rows.filter(({ state }) => state === 'done').length,
    total: rows.length,
    rows,
  }
}
