import { LARGE_DRAWER_WIDTH, PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { sdReport } from '@roadshow/contract/proof/sd-report'
import type { SdApproach, SdPlaceResult, SdSummary } from '@roadshow/contract/proof/sd-report'
import { Drawer } from 'antd'
import { useMemo, useState } from 'react'
import { useCall } from '../../../api/useCall.ts'
import { useList } from '../../../api/useList.ts'
import type { RecordFormProps } from '../../../ui/record/RecordDrawer.tsx'
import { Pager } from '../../../ui/rows/Pager.tsx'
import { SearchBox } from '../../../ui/list/SearchBox.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { StateTag } from '../../../ui/text/StateTag.tsx'
import { List, Row, Soft, Stack } from '../../../ui/layout.tsx'
import { timestamp } from '@roadshow/contract/platform/dates'
import { useListState } from '../../../ui/useListState.ts'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { distanceText, playTimeText } from '../reportNumbers.ts'
import { outcomeLabel, approachOutcome, outcomeTone } from './approachMap.ts'
import type { ApproachCircle, TrackLine } from './approachMap.ts'
import { AddressPlays } from './AddressPlays.tsx'
import { ApproachMap } from './ApproachMap.tsx'
import shared from '../reports.module.css'
import type { SdFilters } from './useSdFilters.ts'
import styles from './ApproachesDrawer.module.css'

/** One address: every time a truck came near, with its route. */
export default function ApproachesDrawer({ uid = '', open, onClose, onClosed }: RecordFormProps) {
  const { query } = useListState(sdReport.list)
  const asked = {
    program: String(query.program),
    ...(query.market !== undefined && { market: String(query.market) }),
    from: String(query.from),
    to: String(query.to),
  }
  // The same query as the report's map: it is sent once.
  const summary = useCall(sdReport.summary, { query: asked })
  const place = summary.data?.places.find((each) => each.uid === uid)
  return (
    <Drawer
      open={open}
      onClose={onClose}
      focusable={{ focusTriggerAfterClose: false }}
      afterOpenChange={(isOpen) => !isOpen && onClosed()}
      size={LARGE_DRAWER_WIDTH}
      title={place?.label ?? (summary.isSuccess ? 'Unknown address' : 'Loading…')}
    >
      {summary.isError && <ErrorState error={summary.error} onRetry={() => void summary.refetch()} />}
      {summary.isPending && <SkeletonLines />}
      {summary.isSuccess && !place && <Soft as="p">Address not found in this report.</Soft>}
      {summary.data && place && <Approaches asked={{ ...asked, address: uid }} place={place} summary={summary.data} />}
    </Drawer>
  )
}

interface ApproachesProps {
  asked: SdFilters & { address: string }
  place: SdPlaceResult
  summary: SdSummary
}

function Approaches({ asked, place, summary: { zone } }: ApproachesProps) {
  const [{ search, page }, turn] = useState({ search: '', page: 1 })
  const [chosen, setChosen] = useState<string>()
  const found = useList(sdReport.approaches, {
    ...asked,
    ...(search && { search }),
    ...(page > 1 && { page: String(page) }),
  })
  const { data: approaches, total = 0 } = found.data ?? {}
  const lines = useMemo(() => (approaches ?? []).map(lineOf), [approaches])
  const circles = useMemo(() => [circleOf(place)], [place])
  const hasTracks = approaches?.some(({ track }) => track.length > 1) ?? true
  return (
    <Stack gap={3}>
      <ApproachMap
        // Each page has its own tracks; the map fits all of them.
        key={`${search} ${found.data?.page}`}
        label={`Routes past ${place.label}`}
        circles={circles}
        lines={lines}
        chosen={chosen}
        onChoose={(id) => setChosen(id === place.uid ? undefined : id)}
      />
      {!hasTracks && total > 0 && (
        <Soft as="p" small className={shared.hint}>
          No route to show: positions from these days are no longer stored.
        </Soft>
      )}
      <div className={`${shared.tools} outlines-segmented`} role="search" aria-label="Approaches">
        <div className={styles.search}>
          <SearchBox
            label="Search approaches by truck"
            value={search}
            onChange={(text) => turn({ search: text, page: 1 })}
          />
        </div>
        <Soft role="status" small className={`figures ${shared.hint}`}>
          {found.data && `${countOf(total, 'approach', 'approaches')}, times in ${zone}`}
        </Soft>
      </div>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!approaches && !found.isError && <SkeletonLines />}
      {approaches?.length === 0 && (
        <Soft as="p">{search ? 'No approaches match.' : 'No truck came near this address on these days.'}</Soft>
      )}
      <ApproachList
        asked={asked}
        approaches={approaches ?? []}
        zone={zone}
        isStale={found.isPlaceholderData}
        chosen={chosen}
        onChoose={setChosen}
      />
      <Pager page={page} perPage={PAGE_SIZE} total={total} onChange={(next) => turn({ search, page: next })} />
    </Stack>
  )
}

interface ApproachListProps {
  asked: ApproachesProps['asked']
  approaches: readonly SdApproach[]
  zone: string
  isStale: boolean
  chosen: string | undefined
  onChoose: (uid: string | undefined) => void
}

const ApproachList = ({ asked, approaches, zone, isStale, chosen, onChoose }: ApproachListProps) => (
  <List className={styles.list} aria-label="Approaches" aria-busy={isStale}>
    {approaches.map((approach) => (
      <li key={approach.uid}>
        <ApproachRow
          approach={approach}
          zone={zone}
          isChosen={approach.uid === chosen}
          onChoose={() => onChoose(approach.uid === chosen ? undefined : approach.uid)}
        />
        <Row gap={2} className={styles.plays}>
          <AddressPlays of={asked} address={asked.address} visit={approach} plays={approach.plays} unit="play" />
          <Soft>{formatCount(approach.seconds)} s</Soft>
        </Row>
      </li>
    ))}
  </List>
)

interface ApproachRowProps {
  approach: SdApproach
  zone: string
  isChosen: boolean
  onChoose: () => void
}

/** One approach; selecting it highlights its route on the map. */
function ApproachRow({ approach, zone, isChosen, onChoose }: ApproachRowProps) {
  const { enteredAt, leftAt, truck, nearestM } = approach
  const stayed = (Date.parse(leftAt) - Date.parse(enteredAt)) / 1000
  const outcome = approachOutcome(approach)
  return (
    <button type="button" className={styles.approach} aria-pressed={isChosen} onClick={onChoose}>
      <strong>{timestamp(enteredAt, zone)}</strong>
      <StateTag tone={outcomeTone[outcome]}>{outcomeLabel[outcome]}</StateTag>
      <span>Truck {truck.name}</span>
      <span>nearby for {playTimeText(stayed)}</span>
      <span>closest {distanceText(nearestM)}</span>
    </button>
  )
}

const lineOf = (approach: SdApproach): TrackLine => ({
  id: approach.uid,
  tone: outcomeTone[approachOutcome(approach)],
  points: approach.track.map(([latitude, longitude]) => [latitude, longitude] as const),
})

const PIN_PX = 6

const circleOf = ({ uid, label, latitude, longitude, radiusM }: SdPlaceResult): ApproachCircle => ({
  id: uid,
  name: label,
  latitude,
  longitude,
  radiusM,
  tone: 'amber',
  isHollow: false,
  size: PIN_PX,
})
