import { LARGE_DRAWER_WIDTH, PAGE_SIZE } from '@roadshow/contract/platform/constants'
import { sdReport } from '@roadshow/contract/proof/reports'
import type { SdApproach, SdPlaceResult, SdSummary } from '@roadshow/contract/proof/reports'
import { useQuery } from '@tanstack/react-query'
import { Drawer, Skeleton } from 'antd'
import { useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { useList } from '../../api/useList.ts'
import type { RecordFormProps } from '../../ui/OpenForm.tsx'
import { Pages } from '../../ui/Pages.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { StateTag } from '../../ui/StateTag.tsx'
import { timestamp } from '../../ui/time.ts'
import { useListState } from '../../ui/useListState.ts'
import { playTimeText, count, distanceText } from './reportNumbers.ts'
import { outcomeLabel, approachOutcome, outcomeTone } from './approachMap.ts'
import type { ApproachCircle, TrackLine } from './approachMap.ts'
import { ApproachMap } from './ApproachMap.tsx'
import styles from './reports.module.css'

/** One address: each time a truck came near, and the way it took. */
export default function ApproachesDrawer({ uid = '', open, onClose, onClosed }: RecordFormProps) {
  const { query } = useListState(sdReport.list)
  const asked = {
    program: String(query.program),
    market: String(query.market),
    from: String(query.from),
    to: String(query.to),
  }
  // The map of the report asks the same: it is sent once.
  const summary = useQuery({
    queryKey: keyOf(sdReport.summary, asked),
    queryFn: async ({ signal }) => (await call(sdReport.summary, { query: asked }, { signal })).data,
  })
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
      {summary.isPending && <Skeleton active />}
      {summary.isSuccess && !place && <p className={styles.calm}>The report has no such address.</p>}
      {summary.data && place && <Approaches asked={{ ...asked, address: uid }} place={place} summary={summary.data} />}
    </Drawer>
  )
}

interface ApproachesProps {
  asked: Record<'program' | 'market' | 'from' | 'to' | 'address', string>
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
  const isKept = approaches?.some(({ track }) => track.length > 1) ?? true
  return (
    <div className={styles.approaches}>
      <ApproachMap
        // Each page has its own ways; the map shows all of them.
        key={`${search} ${found.data?.page}`}
        label={`Ways past ${place.label}`}
        circles={circles}
        lines={lines}
        chosen={chosen}
        onChoose={(id) => setChosen(id === place.uid ? undefined : id)}
      />
      {!isKept && total > 0 && (
        <p className={styles.hint}>The positions of these days are no longer kept: there are no ways to show.</p>
      )}
      <div className={styles.tools} role="search" aria-label="Approaches">
        <div className={styles.search}>
          <SearchBox
            label="Search approaches by truck"
            value={search}
            onChange={(text) => turn({ search: text, page: 1 })}
          />
        </div>
        <span role="status" className={`figures ${styles.hint}`}>
          {found.data && `${count(total)} ${total === 1 ? 'approach' : 'approaches'}, times in ${zone}`}
        </span>
      </div>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!approaches && !found.isError && <Skeleton active />}
      {approaches?.length === 0 && (
        <p className={styles.calm}>
          {search ? 'No approach matches.' : 'No truck came near this address in these days.'}
        </p>
      )}
      <ul className={styles.list} aria-label="Approaches" aria-busy={found.isPlaceholderData}>
        {approaches?.map((approach) => (
          <li key={approach.uid}>
            <ApproachRow
              approach={approach}
              zone={zone}
              isChosen={approach.uid === chosen}
              onChoose={() => setChosen(approach.uid === chosen ? undefined : approach.uid)}
            />
          </li>
        ))}
      </ul>
      <Pages page={page} perPage={PAGE_SIZE} total={total} onChange={(next) => turn({ search, page: next })} />
    </div>
  )
}

interface ApproachRowProps {
  approach: SdApproach
  zone: string
  isChosen: boolean
  onChoose: () => void
}

/** One approach; pressing it brings its way forward on the map. */
function ApproachRow({ approach, zone, isChosen, onChoose }: ApproachRowProps) {
  const { enteredAt, leftAt, truck, nearestM, plays, seconds } = approach
  const stayed = (Date.parse(leftAt) - Date.parse(enteredAt)) / 1000
  const outcome = approachOutcome(approach)
  return (
    <button type="button" className={styles.approach} aria-pressed={isChosen} onClick={onChoose}>
      <strong>{timestamp(enteredAt, zone)}</strong>
      <StateTag tone={outcomeTone[outcome]}>{outcomeLabel[outcome]}</StateTag>
      <span>Truck {truck.name}</span>
      <span>near for {playTimeText(stayed)}</span>
      <span>nearest {distanceText(nearestM)}</span>
      <span>
        {count(plays)} {plays === 1 ? 'play' : 'plays'}, {count(seconds)} s
      </span>
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
