import { useQuery } from '@tanstack/react-query'
import L from 'leaflet'
import { useEffect } from 'react'
import { useMap } from './leafletContext.tsx'
import statesUrl from 'us-atlas/states-10m.json?url'
import { areasOf } from './states.ts'
import type { StateTopology } from './states.ts'
import styles from './map.module.css'

const fetchStates = async () => areasOf((await (await fetch(statesUrl)).json()) as StateTopology)

/** The outlines of the states under the tiles: without a network they are what there is to see. */
export function StatesLayer() {
  const map = useMap()
  const { data } = useQuery({ queryKey: ['state-outlines'], queryFn: fetchStates, staleTime: Infinity })
  useEffect(() => {
    if (!data) return
    const pane = map.getPane('states') ?? map.createPane('states')
    pane.style.zIndex = '150'
    const layer = L.polygon(data, {
      interactive: false,
      pane: 'states',
      className: styles.state ?? '',
      weight: 1,
      renderer: L.svg({ pane: 'states' }),
    })
    layer.addTo(map)
    return () => void layer.remove()
  }, [map, data])
  return null
}
