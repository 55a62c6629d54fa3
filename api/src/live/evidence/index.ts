export { fixesAround, trackAround } from './facts.ts'
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
