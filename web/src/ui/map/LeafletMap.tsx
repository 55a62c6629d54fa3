import { useMapEvents } from './leafletContext.tsx'
import { LineLayer } from './LineLayer.tsx'
import { MapFrame } from './MapFrame.tsx'
import { OutlineLayer } from './OutlineLayer.tsx'
import { PlacesLayer } from './PlacesLayer.tsx'
import type { PlaceMapProps } from './places.ts'

export default function LeafletMap({ label, height, outline, onOutline, onClick, line, ...places }: PlaceMapProps) {
  return (
    <MapFrame label={label} height={height}>
      <OutlineLayer outline={outline ?? null} onChange={onOutline} />
      {line && line.length > 1 && <LineLayer line={line} />}
      <PlacesLayer {...places} outline={outline ?? null} />
      {onClick && <Clicks onClick={onClick} />}
    </MapFrame>
  )
}

function Clicks({ onClick }: { onClick: NonNullable<PlaceMapProps['onClick']> }) {
  useMapEvents({ click: ({ latlng }) => onClick({ latitude: latlng.lat, longitude: latlng.wrap().lng }) })
  return null
}
