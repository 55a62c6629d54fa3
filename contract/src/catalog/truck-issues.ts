import * as z from '../platform/zod.ts'

/** What can be wrong with a truck. */
export const issueKinds = [
  'noGps',
  'noPlays',
  'outsideMarket',
  'playerOffline',
  'counterJump',
  'mechanical',
  'screen',
  'accident',
  'other',
] as const
export const issueKind = z.enum(issueKinds)
export type IssueKind = z.infer<typeof issueKind>
/** The kinds that people report; the others are found by checks. */
export const reportedIssueKinds = ['mechanical', 'screen', 'accident', 'other'] as const
export const issueKindLabel: Record<IssueKind, string> = {
  noGps: 'No GPS on a running shift',
  noPlays: 'No plays on a running shift',
  outsideMarket: 'Outside its market',
  playerOffline: 'Player offline',
  counterJump: 'Play counter jumped',
  mechanical: 'Mechanical',
  screen: 'Screen',
  accident: 'Accident',
  other: 'Other',
}

export const issueStatuses = ['open', 'inProgress', 'resolved'] as const
export const issueStatus = z.enum(issueStatuses, 'Choose open, inProgress or resolved.')
export type IssueStatus = z.infer<typeof issueStatus>
export const issueStatusLabel: Record<IssueStatus, string> = {
  open: 'Open',
  inProgress: 'In progress',
  resolved: 'Resolved',
}

/** How many photos come with an issue or with a comment on it. */
export const MAX_ISSUE_PHOTOS = 5
export const MAX_SNOOZE_DAYS = 30
