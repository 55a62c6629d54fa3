import * as z from '../platform/zod.ts'

export const positionSourceKindLabel = {
  geotab: 'MyGeotab',
  samsara: 'Samsara',
  osmand: 'OsmAnd protocol',
  traccar: 'Traccar',
  json: 'JSON',
  file: 'Files',
  phone: "Driver's phone",
  player: 'Player',
} as const
export type PositionSourceKind = keyof typeof positionSourceKindLabel
export const positionSourceKinds = Object.keys(positionSourceKindLabel) as [PositionSourceKind, ...PositionSourceKind[]]
export const positionSourceKind = z.enum(positionSourceKinds, 'Choose a kind of source.')
