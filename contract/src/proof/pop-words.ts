const photoTime = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'medium', timeStyle: 'short' })

/** When a photo was taken, for people: `2026-07-01 14:03:22` of the document is `Jul 1, 2026, 2:03 PM`. */
export const photoTimeText = (takenAt: string): string => photoTime.format(new Date(`${takenAt.replace(' ', 'T')}Z`))
