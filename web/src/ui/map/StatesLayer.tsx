import { useQuery } from '@tanstack/react-query'
import type { FeatureCollection } from 'geojson'
import L from 'leaflet'
import { useEffect } from 'react'
import { useMap } from './leafletContext.tsx'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import statesUrl from 'us-atlas/states-10m.json?url'
import styles from './map.module.css'

type States = Topology<{ states: GeometryCollection }>

async function fetchStates(): Promise<FeatureCollection> {
  const topology = (await (await fetch(statesUrl)).json()) as States
  return feature(topology, topology.objects.states)
}

/** The outlines of the states under the tiles: without a network they are what there is to see. */
export function StatesLayer() {
  const map = useMap()
  const { data } = useQuery({ queryKey: ['state-outlines'], queryFn: fetchStates, staleTime: Infinity })
  useEffect(() => {
    if (!data) return
    const pane = map.getPane('states') ?? map.createPane('states')
    pane.style.zIndex = '150'
    const layer = L.geoJSON(data, {
      interactive: false,
      pane: 'states',
      style: { className: styles.state ?? '', weight: 1, renderer: L.svg({ pane: 'states' }) } as L.PathOptions,
    })
    layer.addTo(map)
    return () => void layer.remove()
  }, [map, data])
  return null
}
