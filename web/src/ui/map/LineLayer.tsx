import type { Point } from '@roadshow/contract/platform/geo'
import L from 'leaflet'
import { useEffect } from 'react'
import { colorIn } from '../../brand/colors.ts'
import { useScheme } from '../theme.tsx'
import { currentColor } from './currentColor.ts'
import { useMap } from './leafletContext.tsx'

/** A way that a truck took. */
export function LineLayer({ line }: { line: readonly Point[] }) {
  const map = useMap()
  const paper = colorIn('paper', useScheme())
  useEffect(() => {
    const points = line.map(({ latitude, longitude }): L.LatLngTuple => [latitude, longitude])
    const group = L.layerGroup().addTo(map)
    const look = { opacity: 0.8, interactive: false }
    L.polyline(points, { ...look, color: paper, weight: 6 }).addTo(group)
    L.polyline(points, { ...look, color: currentColor(map.getContainer(), 'off-shift'), weight: 3 }).addTo(group)
    return () => void group.remove()
    // With light and dark the paper changes, and so do the colors.
  }, [map, line, paper])
  return null
}
