import { useEffect, useEffectEvent } from 'react'
import { useMap } from './leafletContext.tsx'

/** The wheel scrolls the page, unless the map has the focus, fills the screen, or a key says that it is meant. */
export function WheelZoom({ onPassed }: { onPassed: () => void }) {
  const map = useMap()
  const pass = useEffectEvent(onPassed)
  useEffect(() => {
    const container = map.getContainer()
    const decide = (event: WheelEvent) => {
      const isMeant =
        event.ctrlKey ||
        event.metaKey ||
        container.contains(document.activeElement) ||
        document.fullscreenElement?.contains(container)
      if (isMeant) map.scrollWheelZoom.enable()
      else {
        map.scrollWheelZoom.disable()
        pass()
      }
    }
    // Before Leaflet's own listener, which it switches on and off.
    container.addEventListener('wheel', decide, { capture: true, passive: true })
    return () => container.removeEventListener('wheel', decide, { capture: true })
  }, [map])
  return null
}
