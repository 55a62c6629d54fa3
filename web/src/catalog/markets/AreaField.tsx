import type { Point } from '@roadshow/contract/platform/geo'
import { markets } from '@roadshow/contract/catalog/markets'
import type { Depot, MarketInput } from '@roadshow/contract/catalog/markets'
import { addresses } from '@roadshow/contract/catalog/addresses'
import { Button, Form, Input, Segmented } from 'antd'
import { useState } from 'react'
import { call, errorMessage } from '../../api/call.ts'
import { Field, Section } from '../../ui/form/fields.tsx'
import { useMay } from '../../api/user.ts'
import { Row, Soft } from '../../ui/layout.tsx'
import { PlaceMap } from '../../ui/map/PlaceMap.tsx'
import type { MapPlace } from '../../ui/map/places.ts'
import { useIsReading } from '../../ui/form/reading.tsx'
import styles from './AreaField.module.css'

const CENTER = 'center'
const STANDARD_RADIUS_M = 40_234

type Mode = 'center' | 'outline' | 'depot'
const hints: Record<Mode, string> = {
  center: 'Click the map to set the center, or drag it. Set the radius below.',
  outline:
    'Click to add corners one after the other; drag a corner to move it, click it to remove it. An outline replaces the circle.',
  depot: 'Click to place a depot. Drag the selected one to move it.',
}

const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6

// The map shows the outline: its field only says what is wrong with it.
const Drawn = () => null

/** The area in the form, and what the map changes in it. */
function useArea() {
  const form = Form.useFormInstance<MarketInput>()
  // The corners have no field of their own, so this is the one that holds them.
  const corners = Form.useWatch('outline', { form, preserve: true }) ?? null
  const latitude = Form.useWatch('latitude', form)
  const longitude = Form.useWatch('longitude', form)
  const radiusM = Form.useWatch('radiusM', form)
  const depots = Form.useWatch('depots', { form, preserve: true }) ?? []

  const setOutline = (next: [number, number][]) =>
    form.setFieldValue('outline', next.length === 0 ? null : next.map(([lng, lat]) => [rounded(lng), rounded(lat)]))

  const setCenter = async ({ latitude: north, longitude: east }: Point) => {
    form.setFieldsValue({ latitude: rounded(north), longitude: rounded(east), radiusM: radiusM ?? STANDARD_RADIUS_M })
    // This is a proposal: it never replaces the user's choice.
    if (form.getFieldValue('zone')) return
    const proposed = await call(markets.zone, { query: { latitude: north, longitude: east } }).catch(() => undefined)
    if (proposed && !form.getFieldValue('zone')) form.setFieldValue('zone', proposed.data.zone)
  }

  const moveDepot = (index: number, { latitude: north, longitude: east }: Point) => {
    form.setFieldValue(['depots', index, 'latitude'], rounded(north))
    form.setFieldValue(['depots', index, 'longitude'], rounded(east))
  }
  /** Places the first depot without a place, or a new one: its index. */
  const addDepot = (at: Point): number => {
    const unplaced = depots.findIndex((depot) => !depot || !Number.isFinite(depot.latitude))
    const index = unplaced >= 0 ? unplaced : depots.length
    if (unplaced < 0) form.setFieldValue('depots', [...depots, { name: `Depot ${index + 1}`, ...at, radiusM: 805 }])
    moveDepot(index, at)
    return index
  }

  const places = placesOf(depots)
  if (typeof latitude === 'number' && typeof longitude === 'number') {
    places.push({ id: CENTER, name: 'Center', latitude, longitude, ...(!corners && { radiusM }) })
  }
  return { corners, places, setOutline, setCenter, moveDepot, addDepot }
}

const placesOf = (depots: readonly (Depot | undefined)[]): MapPlace[] =>
  depots.flatMap((depot, index) =>
    depot && Number.isFinite(depot.latitude) && Number.isFinite(depot.longitude)
      ? [{ ...depot, id: String(index), name: depot.name || `Depot ${index + 1}`, tone: 'off-shift' as const }]
      : [],
  )

/** The market on the map: its center and radius, its outline, its depots. The fields below hold the same values. */
export const AreaField = () => (useIsReading() ? <AreaReading /> : <AreaInput />)

/** The same map for those who only look. */
function AreaReading() {
  const { corners, places } = useArea()
  const [selected, setSelected] = useState(CENTER)
  return (
    <Section title="Area" wide>
      <Field
        name="outline"
        label=""
        reads={
          <>
            <PlaceMap
              label="Map of the market"
              places={places}
              selected={selected}
              onSelect={setSelected}
              outline={corners}
            />
            {corners && `Outline with ${corners.length} corners`}
          </>
        }
      >
        <Drawn />
      </Field>
    </Section>
  )
}

function AreaInput() {
  const [mode, setMode] = useState<Mode>('center')
  const [selected, setSelected] = useState(CENTER)
  const { corners, places, setOutline, setCenter, moveDepot, addDepot } = useArea()

  const click = (at: Point) => {
    if (mode === 'center') void setCenter(at)
    else if (mode === 'depot') setSelected(String(addDepot(at)))
    else setOutline([...(corners ?? []), [at.longitude, at.latitude]])
  }

  return (
    <fieldset className={`${styles.area} market-area`}>
      <legend>Area</legend>
      <ModeBar
        mode={mode}
        onMode={(next) => {
          setMode(next)
          setSelected(next === 'center' ? CENTER : '')
        }}
        corners={corners}
        onCorners={setOutline}
      />
      <PlaceMap
        label="Map of the market"
        places={places}
        selected={selected}
        onSelect={setSelected}
        onMove={(id, to) => (id === CENTER ? void setCenter(to) : moveDepot(Number(id), to))}
        onClick={click}
        outline={corners}
        onOutline={mode === 'outline' ? setOutline : undefined}
      />
      {mode === 'center' && <ZipSearch onPlace={(at) => void setCenter(at)} />}
      <Soft as="p">{hints[mode]}</Soft>
      <Field name="outline" label="">
        <Drawn />
      </Field>
    </fieldset>
  )
}

/** Sets the center by a ZIP code or an address. */
function ZipSearch({ onPlace }: { onPlace: (at: Point) => void }) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const find = async (text: string) => {
    if (text.trim() === '') return
    setBusy(true)
    setProblem(undefined)
    try {
      const [found] = (await call(addresses.geocode, { body: { addresses: [text.trim()] } })).data
      const { latitude = null, longitude = null } = found ?? {}
      if (latitude !== null && longitude !== null) onPlace({ latitude, longitude })
      else setProblem('This ZIP code was not found.')
    } catch (error) {
      setProblem(errorMessage(error))
    }
    setBusy(false)
  }
  if (!useMay(addresses.geocode)) return null
  return (
    <Row gap={2} align="center" wrap>
      <Input.Search
        aria-label="ZIP code of the center"
        placeholder="ZIP code of the center"
        enterButton="Find"
        loading={isBusy}
        maxLength={120}
        style={{ maxWidth: 320 }}
        onSearch={(text, event) => {
          // Enter finds the place; it does not save the market.
          event?.preventDefault()
          void find(text)
        }}
      />
      {problem && <Soft role="alert">{problem}</Soft>}
    </Row>
  )
}

interface ModeBarProps {
  mode: Mode
  onMode: (mode: Mode) => void
  corners: MarketInput['outline'] | null
  onCorners: (corners: [number, number][]) => void
}

/** Chooses what a click on the map sets. */
const ModeBar = ({ mode, onMode, corners, onCorners }: ModeBarProps) => (
  <Row gap={2} align="center" wrap>
    <Segmented<Mode>
      aria-label="A click on the map sets"
      value={mode}
      onChange={onMode}
      options={[
        { value: 'center', label: 'Center' },
        { value: 'outline', label: 'Outline' },
        { value: 'depot', label: 'Depots' },
      ]}
    />
    {mode === 'outline' && corners && (
      <>
        <Button size="small" onClick={() => onCorners(corners.slice(0, -1))}>
          Undo the last corner
        </Button>
        <Button size="small" onClick={() => onCorners([])}>
          Remove the outline
        </Button>
      </>
    )}
  </Row>
)
