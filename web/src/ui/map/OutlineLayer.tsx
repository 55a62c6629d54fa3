import type { Outline } from '@roadshow/contract/platform/geo'
import L from 'leaflet'
import { useEffect, useEffectEvent } from 'react'
import { useMap } from './leafletContext.tsx'
import { styledIcon } from './mapText.ts'
import styles from './map.module.css'

interface OutlineLayerProps {
  outline: Outline | null
  onChange: ((outline: [number, number][]) => void) | undefined
}

/** A drawn area. While it is edited, each corner can be dragged, and removed by a click or the Delete key. */
export function OutlineLayer({ outline, onChange }: OutlineLayerProps) {
  const map = useMap()
  const isEditable = onChange !== undefined
  const change = useEffectEvent((next: [number, number][]) => onChange?.(next))

  useEffect(() => {
    if (!outline || outline.length === 0) return
    const corners = outline.map(([lng, lat]): [number, number] => [lng, lat])
    const group = L.layerGroup().addTo(map)
    L.polygon(
      corners.map(([lng, lat]): L.LatLngTuple => [lat, lng]),
      { className: styles.outline ?? '', weight: 2, interactive: false },
    ).addTo(group)
    if (isEditable) {
      corners.forEach(([lng, lat], index) => {
        const icon = styledIcon({ className: styles.handle ?? '', iconSize: [14, 14] })
        const title = `Corner ${index + 1}: drag to move, click to remove`
        const remove = () => change(corners.filter((_, each) => each !== index))
        L.marker([lat, lng], { icon, draggable: true, alt: title, title, bubblingMouseEvents: false })
          .on('dragend', ({ target }) => {
            const moved = (target as L.Marker).getLatLng()
            change(corners.map((corner, each) => (each === index ? [moved.lng, moved.lat] : corner)))
          })
          .on('click', remove)
          .on('keydown', ({ originalEvent }) => {
            if (originalEvent.key === 'Delete' || originalEvent.key === 'Backspace') remove()
          })
          .addTo(group)
      })
    }
    return () => void group.remove()
  }, [map, outline, isEditable])
  return null
}
