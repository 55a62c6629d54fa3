import { markets } from '@roadshow/contract/catalog/markets'
import type { Market } from '@roadshow/contract/catalog/markets'
import type { ShiftInput } from '@roadshow/contract/planning/shifts'
import type { Point } from '@roadshow/contract/platform/geo'
import { Form } from 'antd'
import { useState } from 'react'
import { useDetails } from '../../../api/useDetails.ts'
import { useMay } from '../../../api/user.ts'
import { PlaceMap } from '../../../ui/map/PlaceMap.tsx'
import type { MapPlace } from '../../../ui/map/places.ts'
import { useIsReading } from '../../../ui/form/reading.tsx'
import { Soft } from '../../../ui/layout.tsx'
import styles from './stops.module.css'

const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6
const roundedPoint = ({ latitude, longitude }: Point): Point => ({
  latitude: rounded(latitude),
  longitude: rounded(longitude),
})

/** A stop while its row is filled in. */
type TypedStop = Partial<NonNullable<ShiftInput['stops']>[number]> | undefined

const isPlaced = (stop: TypedStop): stop is Point & NonNullable<TypedStop> =>
  Number.isFinite(stop?.latitude) && Number.isFinite(stop?.longitude)

const placesOf = (stops: readonly TypedStop[]): MapPlace[] =>
  stops.flatMap((stop, index) =>
    isPlaced(stop)
      ? [
          {
            id: String(index),
            name: stop.name || `Stop ${index + 1}`,
            latitude: stop.latitude,
            longitude: stop.longitude,
            radiusM: stop.radiusM,
          },
        ]
      : [],
  )

/** Where the map begins while no stop has a place. */
const centerOf = (market: Market | undefined): MapPlace[] =>
  market && market.latitude !== null && market.longitude !== null
    ? [
        {
          id: 'market',
          name: market.name,
          latitude: market.latitude,
          longitude: market.longitude,
          tone: 'parked',
        },
      ]
    : []

/** The stops of the form on a map. A click places the first stop without a place, or adds one. */
export function StopsMap({ blank }: { blank: object }) {
  const isReading = useIsReading()
  const form = Form.useFormInstance<ShiftInput>()
  const stops: readonly TypedStop[] = Form.useWatch('stops', { form, preserve: true }) ?? []
  const marketUid = Form.useWatch('marketUid', { form, preserve: true })
  const mayAsk = useMay(markets.get)
  const market = useDetails(markets.get, mayAsk && marketUid ? marketUid : undefined).data
  const [selected, setSelected] = useState('')
  const placed = placesOf(stops)

  const move = (index: number, to: Point) => {
    form.setFieldValue(['stops', index, 'latitude'], rounded(to.latitude))
    form.setFieldValue(['stops', index, 'longitude'], rounded(to.longitude))
    setSelected(String(index))
  }
  const place = (at: Point) => {
    const unplaced = stops.findIndex((stop) => !isPlaced(stop))
    if (unplaced >= 0) return move(unplaced, at)
    form.setFieldValue('stops', [...stops, { ...blank, ...roundedPoint(at) }])
    setSelected(String(stops.length))
  }
  const places = placed.length > 0 ? placed : centerOf(market)
  return (
    <div className={styles.map}>
      <PlaceMap
        // Another market begins somewhere else.
        key={market?.uid ?? ''}
        label="Map of the planned stops"
        places={places}
        selected={selected}
        onSelect={setSelected}
        {...(!isReading && { onMove: (id: string, to: Point) => move(Number(id), to), onClick: place })}
      />
      {!isReading && (
        <Soft as="p" above={2}>
          Click the map to place a stop, then drag its pin to move it.
        </Soft>
      )}
    </div>
  )
}
