import L from 'leaflet'
import { useEffect, useRef } from 'react'
import { useMap } from './leafletContext.tsx'

/** Shows all points once there are some; from then on the map stays where the user has put it. */
export function useFirstFit(points: readonly L.LatLngTuple[], maxZoom: number): void {
  const map = useMap()
  const isFitted = useRef(false)
  useEffect(() => {
    if (isFitted.current || points.length === 0) return
    isFitted.current = true
    map.fitBounds(L.latLngBounds([...points]), { ...BESIDE_CONTROLS, maxZoom })
  }, [map, points, maxZoom])
}

/** Along the top and on the left stand the controls, which would cover a spot. */
export const BESIDE_CONTROLS: L.FitBoundsOptions = {
  paddingTopLeft: [56, 44],
  paddingBottomRight: [24, 24],
  animate: false,
}
