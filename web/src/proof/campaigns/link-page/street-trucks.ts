import type { LinkTruck } from '@roadshow/contract/proof/campaign-links'
import L from 'leaflet'
import { bindTextTooltip, styledIcon } from '../../../ui/map/mapText.ts'
import { showStreets } from '../../public-page/street-map.ts'

/** The trucks of a market on its street map. */
export interface StreetTrucks {
  show: (trucks: readonly LinkTruck[]) => void
}

const SIZE = 22

const markerOf = ({ latitude, longitude, isMoving, at }: LinkTruck) => {
  const icon = styledIcon({ className: isMoving ? 'truck-spot' : 'truck-spot parked', iconSize: [SIZE, SIZE] })
  const text = `${isMoving ? 'Driving' : 'Parked'}, ${at}`
  return bindTextTooltip(L.marker([latitude, longitude], { icon, keyboard: false, alt: text }), text)
}

/** Lays a street map over a drawing, if there are tiles. */
export async function streetTrucks(sheet: HTMLElement): Promise<StreetTrucks | undefined> {
  const map = await showStreets(sheet)
  if (!map) return undefined
  const layer = L.layerGroup().addTo(map)
  return {
    show(trucks) {
      layer.clearLayers()
      for (const truck of trucks) markerOf(truck).addTo(layer)
    },
  }
}
