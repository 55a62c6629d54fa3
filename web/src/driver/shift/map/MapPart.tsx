import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { Component, lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { tileSource } from '../../../ui/map/tile-source.ts'
import { useWords } from '../../context.ts'
import { Button } from '../../ui/Button.tsx'
import partStyles from '../shift.module.css'
import { placesOf } from './places.ts'
import styles from './map.module.css'

const StreetMap = lazy(() => import('./StreetMap.tsx'))

/** The places of the shift on a map, where this server has streets of its own. It is loaded when asked for. */
export function MapPart({ shift }: { shift: DriverAppShift }) {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const [source] = useState(tileSource)
  const places = useMemo(() => placesOf(shift), [shift])
  if (!source.area || places.length === 0) return null
  return (
    <section className={partStyles.part}>
      <h2>{words.map}</h2>
      {isOpen ? (
        <WithoutMap text={words.mapMissing}>
          <Suspense fallback={<div className={styles.map} />}>
            <StreetMap source={source} places={places} label={words.mapOf(shift.truck.number)} />
          </Suspense>
        </WithoutMap>
      ) : (
        <Button onClick={() => setOpen(true)}>{words.showMap}</Button>
      )}
    </section>
  )
}

/** Without network the map cannot be loaded; the rest of the page stays. */
class WithoutMap extends Component<{ text: string; children: ReactNode }, { isMissing: boolean }> {
  override state = { isMissing: false }

  static getDerivedStateFromError() {
    return { isMissing: true }
  }

  override render() {
    return this.state.isMissing ? <p role="status">{this.props.text}</p> : this.props.children
  }
}
