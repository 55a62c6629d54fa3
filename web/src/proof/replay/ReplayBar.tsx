import { shifts } from '@roadshow/contract/planning/shifts'
import { addDays } from '@roadshow/contract/planning/shift-time'
import { formatZonedTimes, zoneName } from '@roadshow/contract/platform/dates'
import { replays } from '@roadshow/contract/proof/replay'
import type { TrackFormat } from '@roadshow/contract/proof/replay'
import { Link } from '@tanstack/react-router'
import { Button, Dropdown } from 'antd'
import { useMay } from '../../api/user.ts'
import { useDownload } from '../../api/useDownload.ts'
import { LazyDayPicker } from '../../ui/form/LazyDayPicker.tsx'
import { RecordSelect } from '../../ui/form/RecordSelect.tsx'
import type { Lookup } from '../../ui/form/RecordSelect.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { LabeledFilter } from '../reports/LabeledFilter.tsx'
import bar from '../reports/reports.module.css'
import type { ReplayState } from './useReplay.ts'
import styles from './replay.module.css'

const trucks: Lookup<{ uid: string; name: string }> = { list: replays.trucks, sort: 'name', nameOf: ({ name }) => name }

/** The truck and day of a replay, and what can be done with it. */
export function ReplayBar({ state }: { state: ReplayState }) {
  const { model, query, showTruck } = state
  const { truck, day } = model?.replay ?? {}
  const uid = truck?.uid ?? query.truck
  return (
    <Row as="section" gap={3} lineGap={2} align="end" wrap className={bar.bar} aria-label="What is replayed">
      <LabeledFilter label="Truck" className={`${styles.truck} report-field`}>
        {(id) => (
          <RecordSelect
            id={id}
            lookup={trucks}
            value={uid ?? ''}
            current={truck}
            placeholder="Choose a truck"
            allowClear={false}
            onChange={(chosen: string) => showTruck(chosen, day)}
          />
        )}
      </LabeledFilter>
      {uid !== undefined && day !== undefined && (
        <>
          <LabeledFilter label="Day" className={styles.day}>
            {(id) => <LazyDayPicker id={id} value={day} onChange={(chosen) => chosen && showTruck(uid, chosen)} />}
          </LabeledFilter>
          <Row gap={1}>
            <Button aria-label="Day before" onClick={() => showTruck(uid, addDays(day, -1))}>
              ‹
            </Button>
            <Button aria-label="Day after" onClick={() => showTruck(uid, addDays(day, 1))}>
              ›
            </Button>
          </Row>
          {query.shift !== undefined && (
            <Button onClick={() => state.showWholeDay({ truck: uid, day })}>Whole day</Button>
          )}
        </>
      )}
      {model && (
        <>
          <CopyAddress />
          <ExportTrack state={state} />
          <Subject state={state} />
        </>
      )}
    </Row>
  )
}

/** What is shown, in words: the hours and the shift, or the shifts of the day. */
function Subject({ state: { model, query } }: { state: ReplayState }) {
  const mayOpen = useMay(shifts.get)
  if (!model) return null
  const { shifts: held, from, to, zone } = model.replay
  const [only] = held
  // A day on which the clocks go forward has 23 hours.
  const isWholeDay = to - from >= 23 * 3_600_000
  const hours = isWholeDay ? `All day, ${zoneName(zone, from)}` : formatZonedTimes(from, to, zone)
  if (query.shift === undefined || !only) return <Soft>{from < to && hours}</Soft>
  const name = `${only.program.name}, ${only.market}`
  return (
    <Soft>
      {mayOpen ? (
        <Link to="/schedule/program-schedule" search={{ open: only.uid, tab: 'details' }}>
          {name}
        </Link>
      ) : (
        name
      )}
      {from < to && `, ${hours}`}
    </Soft>
  )
}

function CopyAddress() {
  const notice = useNotice()
  const copy = () =>
    navigator.clipboard.writeText(location.href).then(
      () => notice('The link to this minute is copied.'),
      () => notice('The browser keeps the clipboard from this page: copy the address instead.', 'bad'),
    )
  return <Button onClick={() => void copy()}>Copy link</Button>
}

const formats: { key: TrackFormat; label: string }[] = [
  { key: 'gpx', label: 'GPX' },
  { key: 'geojson', label: 'GeoJSON' },
]

function ExportTrack({ state: { model, query } }: { state: ReplayState }) {
  const { busy, refused, fetch } = useDownload()
  const isEmpty = model?.fixes.length === 0
  return (
    <>
      <Dropdown
        trigger={['click']}
        disabled={isEmpty}
        menu={{
          items: formats,
          onClick: ({ key }) => void fetch(key, replays.track, { query: { ...query, as: key as TrackFormat } }),
        }}
      >
        <Button loading={busy !== undefined} aria-haspopup="menu" title={isEmpty ? 'No GPS data to export' : undefined}>
          Export track
        </Button>
      </Dropdown>
      {refused !== undefined && (
        <p role="alert" className={bar.wrong}>
          {refused}
        </p>
      )}
    </>
  )
}
