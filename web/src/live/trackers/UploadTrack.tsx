import { trackFiles } from '@roadshow/contract/live/position-sources'
import type { TrackFileResult } from '@roadshow/contract/live/position-sources'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { countOf, formatCount, oneDigit } from '@roadshow/contract/platform/figures'
import { Alert, Button, Select } from 'antd'
import { call } from '../../api/call.ts'
import { useRefreshAfter } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { ChooseFile } from '../../ui/import/ChooseFile.tsx'
import { useTableUpload } from '../../ui/import/useTableUpload.ts'
import { Row, Soft, Stack } from '../../ui/layout.tsx'

const TRACKS = '.gpx,.geojson,.json,.csv,.txt,application/gpx+xml,application/geo+json,text/csv'

interface Options {
  /** The zone of times that name none. */
  zone: string
}

/** Browsers name the types of these files in many ways, or not at all. */
const named = (file: File) => new File([file], file.name, { type: 'application/octet-stream' })

function useTrackFile(truckUid: string) {
  const refresh = useRefreshAfter(trackFiles.upload)
  const params = { uid: truckUid }
  return useTableUpload<Options, TrackFileResult>(
    {
      check: async (file, { zone }, sending) => {
        const files = { file: [named(file)] }
        return (await call(trackFiles.upload, { params, body: { save: false, zone }, files }, sending)).data
      },
      save: async (file, { zone }, digest) => {
        const files = { file: [named(file)] }
        const { data } = await call(trackFiles.upload, { params, body: { save: true, zone, digest }, files })
        refresh()
        return data
      },
    },
    { zone: 'UTC' },
  )
}

const moment = (at: string | null) => (at === null ? '' : formatDateTime(at, localZone()))

function summaryOf({ format, fixes, from, to, miles, known }: TrackFileResult): string {
  if (fixes === 0) return `This ${format} file has no position that can be used.`
  const isKnown =
    known === 0 ? '' : known === fixes ? ' All of them are there already.' : ` ${formatCount(known)} are there already.`
  return `${format}: ${countOf(fixes, 'position')}, ${moment(from)} to ${moment(to)}, ${oneDigit(miles)} mi.${isKnown}`
}

/** A file of a day for a truck whose tracker was offline: what it brings first, then its positions are stored. */
export function UploadTrack({ truckUid }: { truckUid: string }) {
  const file = useTrackFile(truckUid)
  const { checked, saved, options } = file
  if (!useMay(trackFiles.upload)) return null
  const zones = [...new Set(['UTC', localZone()])]
  return (
    <Stack gap={3} as="section" aria-label="Upload a track">
      <Soft>
        A GPX, GeoJSON or CSV file fills hours in which no tracker reported. Positions that are there already count
        once.
      </Soft>
      <ChooseFile
        file={file.file}
        accept={TRACKS}
        isDisabled={file.isSaving}
        onChoose={(chosen) => file.check(chosen, options)}
      />
      <Row gap={2} align="center" wrap>
        <span id="track-zone">Times without a zone are in</span>
        <Select
          aria-labelledby="track-zone"
          value={options.zone}
          options={zones.map((value) => ({ value, label: value }))}
          disabled={file.isSaving || saved !== undefined}
          onChange={(zone) => {
            if (file.file) file.check(file.file, { zone })
          }}
          popupMatchSelectWidth={false}
        />
      </Row>
      {file.problem && <Alert type="error" role="alert" title={file.problem} />}
      {checked && (
        <p role="status">{saved ? `${countOf(saved.fixes - saved.known, 'position')} added.` : summaryOf(checked)}</p>
      )}
      {checked && !saved && <LeftOut result={checked} />}
      <Row gap={2}>
        {checked && !saved && checked.fixes > 0 && (
          <Button type="primary" loading={file.isSaving} onClick={() => file.save()}>
            Add these positions
          </Button>
        )}
        {(checked !== undefined || file.problem !== undefined) && (
          <Button onClick={() => file.clear()}>{saved ? 'Upload another file' : 'Cancel'}</Button>
        )}
      </Row>
    </Stack>
  )
}

/** What of a file is left out, and what to know of the rest. */
function LeftOut({ result: { leftOut, notes } }: { result: TrackFileResult }) {
  if (leftOut.length + notes.length === 0) return null
  return (
    <ul>
      {leftOut.map(({ reason, count }) => (
        <li key={reason}>
          {formatCount(count)} left out: {reason}
        </li>
      ))}
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  )
}
