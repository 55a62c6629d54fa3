export type Interval = `${number}${'ms' | 's' | 'm' | 'h'}`

export interface JobEntry {
  /** One sentence for people who look after the nodes. */
  what: string
  every: Interval
  /** `cluster`: one node at a time. `node`: every node; each step may be done twice. */
  runsOn: 'cluster' | 'node'
  /** `wait` also runs before the node listens, `run` as soon as the node has started; otherwise the first run waits. */
  atStart?: 'wait' | 'run'
  /** Signals that start a run at once. */
  wakeOn?: readonly string[]
  /** Continues with the rows stored since its last run, on whichever node that was. */
  watermark?: true
  /** Stops after a minute with its progress stored, and goes on at once, or with its interval where pieces may fail. */
  backlog?: 'atOnce' | 'later'
}

/**
 * Every job of the product. A module attaches the work to a name (`defineJob`); the name is also that of its lock, its
 * watermark and its metrics.
 */
export const jobTable = {
  // platform
  'create-partitions': {
    what: 'Creates the tables that the positions and plays of the coming days go into.',
    every: '1h',
    runsOn: 'node',
    atStart: 'wait',
  },
  'count-messages': {
    what: 'Counts the messages that wait or could not be delivered, for the metrics.',
    every: '15s',
    runsOn: 'node',
    atStart: 'run',
  },
  'fold-lists': { what: 'Sums up the changes of lists, so that totals stay quick.', every: '10m', runsOn: 'node' },
  'handle-events': {
    what: 'Makes messages to people and partners of events.',
    every: '5s',
    runsOn: 'cluster',
    atStart: 'run',
    wakeOn: ['outbox'],
    backlog: 'atOnce',
  },
  sweep: {
    what: 'Deletes what is older than its table keeps it, and files that go with it.',
    every: '5m',
    runsOn: 'cluster',
    atStart: 'run',
    wakeOn: ['settings_changed'],
    backlog: 'atOnce',
  },
  'send-mail': { what: 'Sends mails.', every: '2s', runsOn: 'node', atStart: 'run', wakeOn: ['outbox'] },
  'send-push': {
    what: 'Sends notifications to browsers and phones.',
    every: '2s',
    runsOn: 'node',
    atStart: 'run',
    wakeOn: ['outbox'],
  },
  'send-webhook': { what: 'Calls webhooks.', every: '2s', runsOn: 'node', atStart: 'run', wakeOn: ['outbox'] },
  'watch-conditions': {
    what: 'Raises and resolves issues of trucks and campaigns, and notifies people of late shifts and offline players.',
    every: '10s',
    runsOn: 'cluster',
  },
  'watch-node': {
    what: 'Notifies admins when a disk of the node fills up.',
    every: '5m',
    runsOn: 'node',
    atStart: 'run',
  },

  // accounts
  'end-due-sessions': { what: 'Ends sessions whose time is over.', every: '500ms', runsOn: 'node' },

  // live
  approaches: {
    what: 'Finds visits to SD addresses in the tracks of shifts.',
    every: '30s',
    runsOn: 'node',
    backlog: 'atOnce',
  },
  'archive-plays': {
    what: 'Moves old plays to the archive, a day at a time.',
    every: '10m',
    runsOn: 'cluster',
    backlog: 'later',
  },
  'expire-device-commands': {
    what: 'Ends commands that a device did not answer in time.',
    every: '2s',
    runsOn: 'node',
  },
  'merge-days': {
    what: 'Merges the daily tables of databases that older versions made into weekly ones.',
    every: '2m',
    runsOn: 'cluster',
    backlog: 'later',
  },
  coverage: {
    what: 'Lowers the GPS coverage of running shifts whose trucks send nothing.',
    every: '1m',
    runsOn: 'cluster',
  },
  miles: {
    what: 'Measures miles again when shifts, trucks or earlier positions changed.',
    every: '5s',
    runsOn: 'cluster',
    backlog: 'atOnce',
  },
  'old-tracks': {
    what: 'Finds tracks that an earlier version measured, to be measured again.',
    every: '1h',
    runsOn: 'cluster',
    atStart: 'run',
  },
  'play-grades': {
    what: 'Grades plays again when positions, shifts or settings changed: those of the last days first.',
    every: '30s',
    runsOn: 'cluster',
    watermark: true,
    backlog: 'atOnce',
  },
  'stop-visits': {
    what: 'Finds the visits to planned stops in the tracks of shifts.',
    every: '30s',
    runsOn: 'node',
    backlog: 'atOnce',
  },

  // proof
  'find-make-up-shifts': {
    what: 'Looks for shifts that make up for campaigns that are behind.',
    every: '1m',
    runsOn: 'cluster',
  },
  impressions: {
    what: 'Estimates the impressions of shifts again when their track or the method changed.',
    every: '1m',
    runsOn: 'cluster',
    watermark: true,
    backlog: 'atOnce',
  },
  pdfs: {
    what: 'Makes the PDFs of published POPs.',
    every: '1m',
    runsOn: 'node',
    atStart: 'run',
    wakeOn: ['pop_published'],
    backlog: 'atOnce',
  },
  'photo-grades': {
    what: 'Grades photos again when the track of their truck or their shift changed.',
    every: '30s',
    runsOn: 'cluster',
    watermark: true,
    backlog: 'atOnce',
  },
  'send-reports': {
    what: 'Sends the weekly and final reports of campaigns.',
    every: '5m',
    runsOn: 'cluster',
    backlog: 'later',
  },

  // outreach
  'announce-plays': {
    what: 'Tells webhooks that there are new plays.',
    every: '1m',
    runsOn: 'cluster',
    backlog: 'atOnce',
  },
  'make-push-keys': {
    what: 'Makes the keys that sign notifications to browsers, once.',
    every: '1h',
    runsOn: 'cluster',
    atStart: 'run',
  },
  'repeat-alerts': { what: 'Notifies the next people of issues that are still open.', every: '20s', runsOn: 'cluster' },
  'send-digests': { what: 'Sends daily digests of unread notifications.', every: '1m', runsOn: 'cluster' },
  'tell-drivers': { what: 'Tells drivers of changes to their shifts.', every: '10s', runsOn: 'cluster' },
} as const satisfies Record<string, JobEntry>

export type JobName = keyof typeof jobTable
