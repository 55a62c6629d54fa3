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

/** A row of the table. */
const job = <const More extends Omit<JobEntry, 'runsOn' | 'every' | 'what'>>(
  runsOn: JobEntry['runsOn'],
  every: Interval,
  what: string,
  more = {} as More,
) => ({ runsOn, every, what, ...more })

/**
 * Every job of the product. A module attaches the work to a name (`defineJob`); the name is also that of its lock, its
 * watermark and its metrics.
 */
export const jobTable = {
  // platform
  'check-certificate': job('node', '1h', 'Reads when the certificate of PUBLIC_URL expires, for the metrics.', {
    atStart: 'run',
  }),
  'create-partitions': job(
    'node',
    '1h',
    'Creates the tables that the positions and plays of the coming days go into.',
    { atStart: 'wait' },
  ),
  'count-messages': job('node', '15s', 'Counts the messages that wait or could not be delivered, for the metrics.', {
    atStart: 'run',
  }),
  'fold-lists': job('node', '10m', 'Sums up the changes of lists, so that totals stay quick.'),
  'handle-events': job('cluster', '5s', 'Turns events into messages to people and partners.', {
    atStart: 'run',
    wakeOn: ['outbox'],
    backlog: 'atOnce',
  }),
  sweep: job('cluster', '5m', 'Deletes rows that are older than their table keeps them, with their files.', {
    atStart: 'run',
    wakeOn: ['settings_changed'],
    backlog: 'atOnce',
  }),
  'measure-database': job(
    'node',
    '1m',
    'Reads for the metrics when a backup was made, and whether the log is archived.',
    {
      atStart: 'run',
    },
  ),
  'send-mail': job('node', '2s', 'Sends emails.', { atStart: 'run', wakeOn: ['outbox'] }),
  'send-push': job('node', '2s', 'Sends notifications to browsers and phones.', { atStart: 'run', wakeOn: ['outbox'] }),
  'send-webhook': job('node', '2s', 'Calls webhooks.', { atStart: 'run', wakeOn: ['outbox'] }),
  'watch-conditions': job(
    'cluster',
    '10s',
    'Raises and resolves issues of trucks and campaigns, and notifies people of late shifts and offline players.',
  ),
  'watch-node': job('node', '5m', 'Notifies admins when a disk of the node fills up.', { atStart: 'run' }),

  // accounts
  'end-due-sessions': job('node', '500ms', 'Ends sessions whose time is over.'),
  'keep-sign-in-room': job('cluster', '1h', 'Keeps room in which people can sign in while the disk is full.', {
    watermark: true,
  }),

  // catalog
  'read-brand': job('node', '5m', 'Takes the company’s name, color and logo over into pages and emails.', {
    atStart: 'wait',
    wakeOn: ['settings_changed'],
  }),
  'shop-stays': job(
    'cluster',
    '30s',
    'Sets trucks in shop and active again when their times in the shop begin and end.',
    {
      atStart: 'run',
    },
  ),

  // console
  'empty-demo': job('cluster', '1m', 'Deletes the demo with its files, once an admin has asked for it.', {
    wakeOn: ['demo_emptying'],
  }),

  // live
  approaches: job('node', '30s', 'Finds visits to SD addresses in the tracks of shifts.', { backlog: 'atOnce' }),
  'archive-plays': job('cluster', '10m', 'Moves old plays to the archive, a day at a time.', { backlog: 'later' }),
  'expire-device-commands': job('node', '2s', 'Ends commands that a device did not answer in time.'),
  'merge-days': job(
    'cluster',
    '2m',
    'Merges the daily tables of databases that older versions made into weekly ones.',
    { backlog: 'later' },
  ),
  coverage: job('cluster', '1m', 'Lowers the GPS coverage of running shifts whose trucks send nothing.'),
  'store-places': job(
    'cluster',
    '5s',
    'Stores places of phones and players where the trackers of trucks were silent.',
    {
      backlog: 'later',
    },
  ),
  miles: job('cluster', '5s', 'Measures miles again when shifts, trucks or earlier positions changed.', {
    backlog: 'atOnce',
  }),
  'old-tracks': job('cluster', '1h', 'Finds tracks that an earlier version measured, to be measured again.', {
    atStart: 'run',
  }),
  'play-grades': job(
    'cluster',
    '30s',
    'Grades plays again when positions, shifts or settings changed: those of the last days first.',
    { watermark: true, backlog: 'atOnce' },
  ),
  'stop-visits': job('node', '30s', 'Finds the visits to planned stops in the tracks of shifts.', {
    backlog: 'atOnce',
  }),

  // proof
  'find-make-up-shifts': job('cluster', '1m', 'Looks for shifts that make up for campaigns that are behind.'),
  impressions: job(
    'cluster',
    '1m',
    'Estimates the impressions of shifts again when their track or the method changed.',
    { watermark: true, backlog: 'atOnce' },
  ),
  pdfs: job('node', '1m', 'Makes the PDFs of published POPs.', {
    atStart: 'run',
    wakeOn: ['pop_published'],
    backlog: 'atOnce',
  }),
  'photo-grades': job('cluster', '30s', 'Grades photos again when the track of their truck or their shift changed.', {
    watermark: true,
    backlog: 'atOnce',
  }),
  'send-reports': job('cluster', '5m', 'Sends the weekly and final reports of campaigns.', { backlog: 'later' }),

  // outreach
  'announce-plays': job('cluster', '1m', 'Announces new plays to webhooks.', { backlog: 'atOnce' }),
  'make-push-keys': job('cluster', '1h', 'Makes the keys that sign notifications to browsers, once.', {
    atStart: 'run',
  }),
  'repeat-alerts': job('cluster', '20s', 'Notifies the next people of issues that are still open.'),
  'send-digests': job('cluster', '1m', 'Sends daily digests of unread notifications.'),
  'tell-drivers': job('cluster', '10s', 'Notifies drivers of changes to their shifts.'),
} satisfies Record<string, JobEntry>

export type JobName = keyof typeof jobTable
