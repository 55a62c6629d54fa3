import L from 'leaflet'
import { afterEach, expect, test } from 'vitest'
import { addCredit, bindTextTooltip, createTextTooltip, setTooltipText, styledIcon } from './mapText.ts'

const HOSTILE = '<img src=x onerror="window.ran=1"><b>Elm & Main</b>'

function createMap(): L.Map {
  const container = document.createElement('div')
  document.body.append(container)
  return L.map(container, { center: [37.9, -95], zoom: 3, attributionControl: false, zoomControl: false })
}

afterEach(() => document.body.replaceChildren())

test('a tooltip shows a name as it was typed, whatever it looks like', () => {
  const map = createMap()
  const marker = bindTextTooltip(L.circleMarker([37.9, -95]), HOSTILE).addTo(map)
  marker.openTooltip()
  const shown = document.querySelector('.leaflet-tooltip')
  expect(shown?.textContent).toBe(HOSTILE)
  expect(shown?.querySelector('img, b')).toBeNull()
})

test('so does a tooltip that is placed by hand, each time its text changes', () => {
  const map = createMap()
  const tooltip = createTextTooltip({ direction: 'top' })
  for (const text of ['T-4: moving', HOSTILE]) {
    setTooltipText(tooltip, text).setLatLng([37.9, -95]).addTo(map)
    expect(document.querySelector('.leaflet-tooltip')?.textContent).toBe(text)
  }
  expect(document.querySelector('.leaflet-tooltip img')).toBeNull()
})

test('the credit of the tiles is one link with a text, and a marker has no content', () => {
  const map = createMap()
  addCredit(map, { text: HOSTILE, href: 'https://www.openstreetmap.org/copyright' })
  const links = [...document.querySelectorAll('.leaflet-control-attribution a')]
  expect(links.map(({ textContent }) => textContent)).toEqual([HOSTILE])
  L.marker([37.9, -95], { icon: styledIcon({ className: 'pin' }) }).addTo(map)
  expect(document.querySelector('.pin')?.childElementCount).toBe(0)
})
