import { Counter } from 'prom-client'

export const playsStored = new Counter({
  name: 'roadshow_plays_stored_total',
  help: 'Plays that players reported and that are on disk; repeats do not count.',
  registers: [],
})

export const playsArchived = new Counter({
  name: 'roadshow_plays_archived_total',
  help: 'Plays that were moved from the database into files and verified there.',
  registers: [],
})

export const archiveFailures = new Counter({
  name: 'roadshow_play_archive_failures_total',
  help: 'Days that could not be archived, files that could not be removed, and plays of trucks that could not be graded again; each is tried again.',
  registers: [],
})
