import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { colorIn } from '../../brand/colors.ts'
import { useScheme } from '../theme.tsx'
import { currentColor } from './currentColor.ts'
import { DrawnRoads } from './DrawnRoads.ts'
import type { RoadMap } from './DrawnRoads.ts'
import { useMap } from './leafletContext.tsx'
import { MapScale } from './MapScale.tsx'
import roadsUrl from './us-roads.json?url'

const fetchRoads = async () => (await (await fetch(roadsUrl)).json()) as RoadMap

/** Highways and cities in outline, and a scale: what a map shows where its streets can't be loaded. */
export default function RoadsLayer() {
  const map = useMap()
  const paper = colorIn('paper', useScheme())
  const { data } = useQuery({ queryKey: ['road-outlines'], queryFn: fetchRoads, staleTime: Infinity })
  const [layer] = useState(() => new DrawnRoads())
  useEffect(() => {
    if (!data) return
    layer.setRoads(data)
    layer.addTo(map)
    return () => void layer.remove()
  }, [map, layer, data])
  useEffect(() => {
    const container = map.getContainer()
    const [road, text] = [currentColor(container, 'control'), currentColor(container, 'ink-soft')]
    // With light and dark the paper changes, and so do the others.
    layer.setLook({ road, text, paper, font: getComputedStyle(container).fontFamily })
  }, [map, layer, paper])
  return <MapScale />
}
