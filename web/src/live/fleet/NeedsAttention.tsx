import { costlyStates, fleet, liveStateLabel } from '@roadshow/contract/live/fleet'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import type { LiveTruck, TruckIssue } from '@roadshow/contract/live/fleet'
import { useNavigate } from '@tanstack/react-router'
import { useList } from '../../api/useList.ts'
import { useNow } from '../../ui/useNow.ts'
import { SkeletonLine, ErrorState } from '../../ui/states.tsx'
import type { Tone } from '../../ui/StateTag.tsx'
import { isHollow } from '../../ui/StateTag.tsx'
import type { UrlSearch } from '../../ui/useListState.ts'
import { ageText } from './ages.ts'
import { stateTone } from './truckState.tsx'
import shared from './overview.module.css'
import styles from './NeedsAttention.module.css'

const TICK_MS = 10_000
// More than this is found in the list of issues.
const OPEN = { pageSize: '100', sort: 'openedAt' }

/** An issue or a truck that needs attention. */
interface AttentionItem {
  key: string
  truck: string
  what: string
  more: string
  tone: Tone
  /** Undefined where the start is not known. */
  since: string | undefined
  onOpen: () => void
}

interface NeedsAttentionProps {
  trucks: readonly LiveTruck[] | undefined
  onChoose: (uid: string) => void
}

/** When the state began that needs attention. */
function sinceOf({ state, positionAt, playerAt, shift }: LiveTruck): string | undefined {
  if (state === 'darkScreen') return playerAt ?? shift?.startedAt ?? undefined
  if (state === 'playingSilent') return positionAt ?? undefined
  return state === 'notMoving' ? shift?.startsAt : undefined
}

function issueItem(issue: TruckIssue, truck: LiveTruck | undefined, onOpen: () => void): AttentionItem {
  const more = [
    ...(issue.status === 'open' ? [] : [issueStatusLabel[issue.status]]),
    ...(truck ? [liveStateLabel[truck.state]] : []),
    ...(issue.text ? [issue.text] : []),
  ]
  return {
    key: issue.uid,
    truck: issue.truck.name,
    what: issueKindLabel[issue.kind],
    more: more.join(' · '),
    tone: issue.status === 'open' ? 'bad' : 'warn',
    since: issue.openedAt,
    onOpen,
  }
}

const truckItem = (truck: LiveTruck, onOpen: () => void): AttentionItem => ({
  key: truck.uid,
  truck: truck.number,
  what: liveStateLabel[truck.state],
  tone: stateTone[truck.state],
  more: truck.shift ? `${truck.shift.program}, ${truck.shift.market}` : '',
  since: sinceOf(truck),
  onOpen,
})

/** Open issues, and trucks in a costly state, oldest first; a truck with an issue is listed once. */
export function NeedsAttention({ trucks = [], onChoose }: NeedsAttentionProps) {
  const found = useList(fleet.issues, OPEN)
  const now = useNow(TICK_MS)
  const navigate = useNavigate()
  const open = (uid: string) =>
    void navigate({ to: '.', search: (old: UrlSearch) => ({ ...old, open: uid }), resetScroll: false })
  const issues = found.data?.data
  if (found.isError && !issues) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!issues) return <SkeletonLine />
  const costly = trucks.filter(({ state }) => costlyStates.includes(state))
  const withIssue = new Set(issues.map(({ truck }) => truck.uid))
  const truckOf = (issue: TruckIssue) => costly.find(({ uid }) => uid === issue.truck.uid)
  const items = [
    ...issues.map((issue) => issueItem(issue, truckOf(issue), () => open(issue.uid))),
    ...costly.filter(({ uid }) => !withIssue.has(uid)).map((truck) => truckItem(truck, () => onChoose(truck.uid))),
  ].toSorted((one, other) => (one.since ?? '9').localeCompare(other.since ?? '9'))
  if (items.length === 0) return <p className={styles.calm}>Nothing needs attention right now.</p>
  return (
    <ul className={styles.needs} aria-label="Needs attention">
      {items.map((item) => (
        <li key={item.key}>
          <AttentionButton item={item} now={now} />
        </li>
      ))}
    </ul>
  )
}

const AttentionButton = ({ item, now }: { item: AttentionItem; now: number }) => (
  <button type="button" onClick={item.onOpen}>
    <span
      className={shared.dot}
      data-hollow={isHollow(item.tone)}
      style={{ color: `var(--${item.tone})` }}
      aria-hidden
    />
    <span className={styles.needText}>
      <span>
        <strong>{item.truck}</strong> {item.what}
      </span>
      {item.more && <span className={styles.more}>{item.more}</span>}
    </span>
    {item.since && <span className={styles.age}>{ageText(item.since, now)}</span>}
  </button>
)
