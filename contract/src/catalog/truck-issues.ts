import * as z from '../platform/zod.ts'

/** What can be wrong with a truck. */
export const issueKinds = [
  'noGps',
  'noPlays',
  'outsideMarket',
  'playerOffline',
  'mechanical',
  'screen',
  'accident',
  'other',
] as const
export const issueKind = z.enum(issueKinds)
export type IssueKind = z.infer<typeof issueKind>
export const issueKindLabel: Record<IssueKind, string> = {
  noGps: 'No GPS on a running shift',
  noPlays: 'No plays on a running shift',
  outsideMarket: 'Outside its market',
  playerOffline: 'Player offline',
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
