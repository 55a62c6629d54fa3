import type { GpsFix } from '@roadshow/contract'

/** The built-in sources that place trucks where no tracker does. */
export const PHONE_SOURCE = '00000000-0000-0000-0000-000000000001'
export const PLAYER_SOURCE = '00000000-0000-0000-0000-000000000002'

/** A source that counts only where no tracker has spoken: the driver's phone, or the truck's player. */
export type LastResort = 'phone' | 'player'

/** A fix of a truck's track, and whose it is where no tracker spoke. */
export interface EvidenceFix extends GpsFix {
  by: LastResort | null
}

/** The part of a track that may judge evidence of a device. A device never verifies its own evidence. */
export const independentOf = <Fix extends { by?: LastResort | null }>(
  device: LastResort,
  track: readonly Fix[],
): Fix[] => track.filter(({ by }) => by !== device)
