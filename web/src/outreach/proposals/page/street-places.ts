import L from 'leaflet'
import { styledIcon } from '../../../ui/map/mapText.ts'
import { placesOn, showStreets } from '../../../proof/public-page/street-map.ts'

const SIZE = 16

/** Lays a street map over a drawing of places, with the same places on it. */
export async function showPlaces(sheet: HTMLElement): Promise<void> {
  const map = await showStreets(sheet)
  const placeOf = placesOn(sheet.dataset)
  if (!map) return
  for (const circle of sheet.querySelectorAll('circle')) {
    const place = placeOf([circle.cx.baseVal.value, circle.cy.baseVal.value])
    L.marker(place, {
      icon: styledIcon({ className: 'place-spot', iconSize: [SIZE, SIZE] }),
      interactive: false,
    }).addTo(map)
  }
}
