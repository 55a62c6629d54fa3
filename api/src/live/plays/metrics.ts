import { Counter } from 'prom-client'

export const playsStored = new Counter({
  name: 'roadshow_plays_stored_total',
  help: 'Plays that players reported and that are on disk; repeats do not count.',
  registers: [],
})
