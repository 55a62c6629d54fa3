import { pixel } from '@roadshow/contract/catalog/pixel-maps'
import type { PixelMap } from '@roadshow/contract/catalog/pixel-maps'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'

/** A pixel map in every form and filter that asks for one. */
export const pixelLookup: Lookup<PixelMap> = {
  list: pixel.list,
  sort: 'name',
  opensIn: { path: '/pixel' },
  nameOf: ({ name, width, height }) => `${name} (${width} × ${height})`,
}
