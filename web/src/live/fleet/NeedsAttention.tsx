import { costlyStates, fleet, liveStateLabel } from '@roadshow/contract/live/fleet'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import type { LiveTruck, TruckIssue } from '@roadshow/contract/live/fleet'
import { useNavigate } from '@tanstack/react-router'
import { useList } from '../../api/useList.ts'
import { useNow } from '../../ui/useNow.ts'
import { SkeletonLine, ErrorState } from '../../ui/states.tsx'
import type { Tone } from '../../ui/StateTag.tsx'
import { isHollow } from '../../ui/StateTag.tsx'
import type { Given } from '../../ui/useListState.ts'
import { ageText } from './ages.ts'
import { stateTone } from './truckState.tsx'
import shared from './overview.module.css'
import styles from './NeedsAttention.module.css'

const TICK_MS = 10_000
// Who has more to do than this begins with the list of issues.
const OPEN = { pageSize: '100', sort: 'openedAt' }

interface Need {
  key: string
  truck: string
  what: string
  more: string
  tone: Tone
  /** Undefined where nothing says since when. */
  since: string | undefined
  onOpen: () => void
}

interface NeedsAttentionProps {
  trucks: readonly LiveTruck[] | undefined
  onChoose: (uid: string) => void
}

/** What the clock that is in trouble says of since when. */
function sinceOf({ state, positionAt, playerAt, shift }: LiveTruck): string | undefined {
  if (state === 'darkScreen') return playerAt ?? shift?.startedAt ?? undefined
  if (state === 'playingSilent') return positionAt ?? undefined
  return state === 'notMoving' ? shift?.startsAt : undefined
}

/** Open issues, and trucks on which money is being lost, the oldest first; a truck with an issue stands here once. */
export function NeedsAttention({ trucks = [], onChoose }: NeedsAttentionProps) {
  const found = useList(fleet.issues, OPEN)
  const now = useNow(TICK_MS)
  const navigate = useNavigate()
  const open = (uid: string) =>
    void navigate({ to: '.', search: (old: Given) => ({ ...old, open: uid }), resetScroll: false })
  const issues = found.data?.data
  const costly = trucks.filter(({ state }) => costlyStates.includes(state))
  const ofIssue = (issue: TruckIssue): Need => {
    const truck = costly.find(({ uid }) => uid === issue.truck.uid)
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
      onOpen: () => open(issue.uid),
    }
  }
  const ofTruck = (truck: LiveTruck): Need => ({
    key: truck.uid,
    truck: truck.number,
    what: liveStateLabel[truck.state],
    tone: stateTone[truck.state],
    more: truck.shift ? `${truck.shift.program}, ${truck.shift.market}` : '',
    since: sinceOf(truck),
    onOpen: () => onChoose(truck.uid),
  })
  const known = new Set(issues?.map(({ truck }) => truck.uid))
  const needs = [...(issues ?? []).map(ofIssue), ...costly.filter(({ uid }) => !known.has(uid)).map(ofTruck)].toSorted(
    (one, other) => (one.since ?? '9').localeCompare(other.since ?? '9'),
  )

  if (found.isError && !issues) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!issues) return <SkeletonLine />
  if (needs.length === 0) return <p className={styles.calm}>Nothing needs a person right now.</p>
  return (
    <ul className={styles.needs} aria-label="Needs a person">
      {needs.map((need) => (
        <li key={need.key}>
          <button type="button" onClick={need.onOpen}>
            <span
              className={shared.dot}
              data-hollow={isHollow(need.tone)}
              style={{ color: `var(--${need.tone})` }}
              aria-hidden
            />
            <span className={styles.needText}>
              <span>
                <strong>{need.truck}</strong> {need.what}
              </span>
              {need.more && <span className={styles.more}>{need.more}</span>}
            </span>
            {need.since && <span className={styles.age}>{ageText(need.since, now)}</span>}
          </button>
        </li>
      ))}
    </ul>
  )
}
