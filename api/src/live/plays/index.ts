import { defineModule } from '../../platform/module.ts'
import { regradeLateTracks } from './regrade.ts'
import { sweepSequences } from './sweep.ts'

export { storePlays } from './ingest.ts'
export { missingPlays } from './missing.ts'
export { regrade } from './regrade.ts'

export const playModule = defineModule({
  name: 'live/plays',
  tables: ['play', 'play_hour', 'play_address_hour', 'play_sequence', 'play_after_hole'],
  jobs: [regradeLateTracks, sweepSequences],
})
