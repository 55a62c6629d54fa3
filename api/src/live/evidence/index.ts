import { sql } from 'kysely'
import { keptFor } from '../../platform/lifetimes/lifetime.ts'
import { defineModule } from '../../platform/module.ts'

export { type EvidenceChange, noteEvidence, stretchesOf } from './changes.ts'
export { FIX_COVERS, fixesAround, mergeStretches, playVerifiers, trackAround } from './facts.ts'
export {
  type DistanceLimits,
  FIX_COVERS_MS,
  gradeDistance,
  lastIndexUntil,
  metersToSection,
  PARKED_SILENCE_MS,
  placeAt,
  trackSectionAt,
} from './rules.ts'
export { type EvidenceFix, independentOf, PHONE_SOURCE, PLAYER_SOURCE } from './sources.ts'

/** Whether every job has read a note. Without a watermark none has. */
const IS_READ = sql`changed_at < (
  select min(done_until) - interval '1 hour'
    from job_watermark where job in ('play-grades', 'photo-grades', 'impressions'))`

export const evidenceModule = defineModule({
  name: 'live/evidence',
  tables: {
    evidence_change: keptFor(
      '1 day',
      'changed_at',
      { since: 'plays and photos are graded by it', bound: 'Notes of what to grade again.' },
      { only: IS_READ },
    ),
  },
})
