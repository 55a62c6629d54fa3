/** What can be done with an issue in a dialog, by the name on its button. */
export const issueActions = { message: 'Message', assign: 'Assign', snooze: 'Snooze', resolve: 'Resolve' } as const
export type IssueAction = keyof typeof issueActions
