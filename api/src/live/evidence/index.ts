import { defineModule } from '../../platform/module.ts'
import { sweepEvidence } from './changes.ts'

export { type EvidenceChange, noteEvidence, stretchesOf } from './changes.ts'
export { FIX_COVERS, fixesAround, trackAround } from './facts.ts'
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

export const evidenceModule = defineModule({
  name: 'live/evidence',
  tables: ['evidence_change'],
  jobs: [sweepEvidence],
})
