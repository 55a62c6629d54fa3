import type { DB } from './platform/db/schema.ts'

interface Lifetime {
  /** How long rows are kept. */
  kept: string
  /** Why the table cannot outgrow its use. */
  bound: string
}

const setting = (label: string, bound: string): Lifetime => ({ kept: `“${label}” in Settings`, bound })

const record: Lifetime = {
  kept: 'for good',
  bound: 'Records that people make. Deleted ones are only marked, because others refer to them.',
}
const partOfRecord: Lifetime = {
  kept: 'as long as their record',
  bound: 'Parts of records: markets of a program, files of a set, pay lines of a period, reports on a shift.',
}
const partOfUser: Lifetime = {
  kept: 'as long as the user',
  bound: 'What a user chose: a few rows for each.',
}
const figures: Lifetime = {
  kept: 'for good',
  bound:
    'Figures that outlive their positions and plays: one row for each truck and hour, day, shift or address, whatever the number of plays.',
}
const published: Lifetime = {
  kept: 'for good',
  bound: 'Published versions of POPs and their pictures, which clients rely on. A person publishes each.',
}
const current: Lifetime = {
  kept: 'while it is current',
  bound: 'The newest state only: one row for each truck, device, feed or job, changed in place.',
}
const queue: Lifetime = { kept: 'until a job has done it', bound: 'Work to do. Jobs run every few seconds to minutes.' }
const credential: Lifetime = {
  kept: 'until it is removed',
  bound: 'What lets a user in: a few for each user, removed by their owner, an admin, or with the user.',
}
const unfinished: Lifetime = {
  kept: 'until it expires, within an hour',
  bound: 'Steps of signing in under way. Removed every ten minutes; callers are limited.',
}
const plays = setting('Keep plays', 'Plays by week, dropped as whole tables; their ids and rejections a little later.')
const positions = setting('Keep positions', 'Positions by week, dropped as whole tables; odometer readings with them.')

const inspections = setting(
  'Keep inspections',
  'Never less than 100 days after they arrived. A driver makes each, about one for each shift.',
)

/** How long each table keeps its rows. Views have no rows of their own. A table without an entry does not compile. */
export const tableLifetimes: Record<Exclude<keyof DB, 'audit_trail' | 'known_sd_address'>, Lifetime> = {
  address_set: record,
  api_key: {
    kept: 'for good',
    bound: 'Each names its maker and its end; ended ones stay, because History and the audit log name them.',
  },
  artwork_set: record,
  artwork_set_file: partOfRecord,
  audit_log: setting('Keep audit log', 'Never younger than 400 days: the database refuses.'),
  booked_line: partOfRecord,
  calendar_link: credential,
  campaign_issue: {
    kept: '400 days after it is resolved',
    bound: 'Booked lines that fell behind. At most one for each line and day.',
  },
  campaign_link: {
    kept: 'for good',
    bound: 'Links to pages of campaigns. A person makes each; ended ones stay with their views.',
  },
  client: record,
  client_program: record,
  code_app: credential,
  device: record,
  device_command: {
    kept: '90 days',
    bound: 'Commands for players. A person gives each; pictures of screens are removed after an hour.',
  },
  device_health: current,
  device_seen: current,
  driver_act: partOfRecord,
  driver_event: partOfRecord,
  driver_phone: current,
  evidence_change: {
    kept: 'a day after plays and photos are graded by it',
    bound: 'Notes of what to grade again.',
  },
  fill_proposal: {
    kept: '1 day',
    bound: 'Proposals of Fill, one for each user: a new one replaces the one before.',
  },
  impression_method: {
    kept: 'for good',
    bound: 'Versions of the method for impressions, on which published numbers rely. An admin adds each.',
  },
  incident: record,
  inspection: inspections,
  inspection_item: record,
  inspection_result: inspections,
  geotab_cursor: current,
  grading_run: current,
  history: setting(
    'Keep history',
    'Never younger than three years: the database refuses. The History tab says from when on changes are kept.',
  ),
  idempotency_key: { kept: '1 day', bound: 'Answers to calls with an Idempotency-Key.' },
  issue_alert: current,
  issue_comment: partOfRecord,
  issue_photo: partOfRecord,
  issue_watch: current,
  job_watermark: current,
  known_network: { kept: '60 days after a sign-in', bound: 'Networks that users and devices came from.' },
  known_play: plays,
  list_change: {
    kept: 'until it is added up',
    bound: 'Counts of lists: folded into one row for each list when it is read, and by a job.',
  },
  market: record,
  'merging.changed_row': queue,
  message: {
    kept: '90 days after it was sent or given up',
    bound: 'Messages to people and to the systems of partners. Waiting ones end within days.',
  },
  miles_due: queue,
  notification: {
    kept: '90 days',
    bound: 'What the bell shows to a user: a few rows a day for each.',
  },
  notification_choice: partOfUser,
  notification_message: { kept: 'as long as the message', bound: 'Which messages were made of a notification.' },
  notification_setting: partOfUser,
  odometer_reading: positions,
  outbound_event: queue,
  passkey: credential,
  passkey_challenge: unfinished,
  password_reset: {
    kept: '1 day after it expires',
    bound: 'Links to set a password, one open for each user and kind.',
  },
  past_sd_address: {
    kept: 'for good',
    bound: 'Earlier places of SD addresses that plays and approaches refer to, one for each change by a person.',
  },
  pay_adjustment: record,
  pay_line: partOfRecord,
  pay_override: record,
  pay_period: record,
  pay_rate: partOfRecord,
  pending_sign_in: unfinished,
  pixel_map: record,
  play: plays,
  play_address_hour: figures,
  play_after_hole: {
    kept: 'until the missing plays arrive',
    bound: 'Open gaps in the numbers of a player, at most 2,000 for each.',
  },
  play_correction: setting(
    'Keep plays',
    'At most one row for each play that was graded otherwise after it was delivered.',
  ),
  play_archive: setting('Keep plays', 'One row for each archived day and market, ended with the plays of its file.'),
  play_archive_leftover: {
    kept: 'at most 30 days',
    bound: 'Files of the archive that were replaced, until they are removed.',
  },
  play_hour: figures,
  play_rejection: plays,
  play_sequence: current,
  pop: record,
  pop_market: partOfRecord,
  pop_password: partOfRecord,
  pop_photo: record,
  pop_version: published,
  pop_version_picture: published,
  pop_view: figures,
  position: positions,
  program_market: partOfRecord,
  push_key: current,
  push_subscription: credential,
  recovery_code: credential,
  report_recipient: partOfRecord,
  report_sent: {
    kept: 'for good',
    bound: 'One row for each mailed report of a program: at most one a week, and one for each version.',
  },
  sales_proposal: {
    kept: 'for good',
    bound: 'Proposals of programs. A person sends each; who accepted it stays on record.',
  },
  screen_pairing: {
    kept: '15 minutes',
    bound: 'Codes that screens show. Removed every ten minutes; at most 40 for each network.',
  },
  sd_address: partOfRecord,
  session: {
    kept: '30 days after it ends',
    bound: 'Ended sessions say why they ended. A session lasts seven days at most.',
  },
  setting: { kept: 'for good', bound: 'One row for each setting that was changed.' },
  shift: record,
  shift_act: {
    kept: '1 day',
    bound:
      'What changed on the board, so that it can be undone. A person makes each act; an act holds at most two weeks.',
  },
  shift_answer: partOfRecord,
  shift_message: partOfRecord,
  shift_notice: queue,
  shift_approach: figures,
  shift_approaches_known: figures,
  shift_impression: figures,
  shift_stop_track: figures,
  shift_track: figures,
  single_sign_on_confirmation: {
    kept: 'until it expires, within two days',
    bound: 'Sign-ins that wait for a mailed link, which waits for the mail server. Callers are limited.',
  },
  single_sign_on_flow: unfinished,
  single_sign_on_identity: credential,
  single_sign_on_logout: unfinished,
  single_sign_on_session: { kept: 'with its session', bound: 'One for each session that began at the provider.' },
  stored_file: {
    kept: 'as long as a record uses it, unused ones for a day',
    bound: 'At most 200 unused files or 5 GB for each user.',
  },
  throttle: { kept: '2 days after the last attempt', bound: 'Failed attempts by account and network.' },
  truck: record,
  truck_day_track: figures,
  truck_hold: partOfRecord,
  truck_issue: record,
  truck_now: current,
  truck_request: partOfRecord,
  user_account: record,
  watched_condition: current,
  webhook: {
    kept: 'for good',
    bound: 'Each names its maker and its end; ended ones stay, because the delivery log names them.',
  },
  webhook_play_place: current,
  web_log: setting('Keep web log', 'Errors that consoles report, limited for each caller.'),
}

/** The rows of the table in docs/operations.md: tables with the same lifetime share one. */
function lifetimeTable(): string {
  const tables = new Map<Lifetime, string[]>()
  for (const [table, lifetime] of Object.entries(tableLifetimes)) {
    tables.set(lifetime, [...(tables.get(lifetime) ?? []), `\`${table}\``])
  }
  const rows = [...tables].map(([{ kept, bound }, names]) => [kept, names.join(', '), bound])
  const all = [['kept', 'tables', 'what bounds them'], ...rows]
  const widths = [0, 1, 2].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |`
  const [head = [], ...body] = all
  return [line(head), line(['', '', ''], '-'), ...body.map((row) => line(row))].join('\n')
}

const [BEGIN, END] = ['<!-- how long what is kept -->', '<!-- end of how long what is kept -->']

/** A document with the table between its two marks brought up to date. */
export function withLifetimeTable(document: string): string {
  const [before, rest = ''] = document.split(BEGIN)
  return `${before}${BEGIN}\n\n${lifetimeTable()}\n\n${END}${rest.split(END)[1] ?? ''}`
}
