/** What arrives more than this many minutes after it was done was sent later: the phone was offline. */
export const SENT_LATER_MINUTES = 10
