import { useEffect, useState } from 'react'
import { colorIn, colors } from '../../brand/colors.ts'
import type { ColorName } from '../../brand/colors.ts'
import { useScheme } from '../theme.tsx'
import { currentColor } from './currentColor.ts'
import { useMap } from './leafletContext.tsx'
import { SpotsLayer } from './SpotsLayer.ts'

/** A layer of spots on the map around it, in the colors of the page. */
export function useSpotsLayer(): SpotsLayer {
  const map = useMap()
  const paper = colorIn('paper', useScheme())
  const [layer] = useState(() => new SpotsLayer())
  useEffect(() => {
    layer.addTo(map)
    return () => void layer.remove()
  }, [map, layer])
  useEffect(() => {
    const container = map.getContainer()
    const names = Object.keys(colors) as ColorName[]
    const tones = Object.fromEntries(names.map((name) => [name, currentColor(container, name)])) as Record<
      ColorName,
      string
    >
    // With light and dark the paper changes, and so do the others.
    layer.setColors({ ...tones, paper }, getComputedStyle(container).fontFamily)
  }, [map, layer, paper])
  return layer
}
