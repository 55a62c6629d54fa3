import { Counter } from 'prom-client'

export const playsArchived = new Counter({
  name: 'roadshow_plays_archived_total',
  help: 'Plays that were moved from the database into files and verified there.',
  registers: [],
})

export const archiveFailures = new Counter({
  name: 'roadshow_play_archive_failures_total',
  help: 'Days whose plays could not be archived, and files that could not be removed; each is tried again.',
  registers: [],
})
