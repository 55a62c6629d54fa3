import { costlyStates, fleet, liveStateLabel } from '@roadshow/contract/live/fleet'
import { issueKindLabel, issueStatusLabel } from '@roadshow/contract/catalog/truck-issues'
import type { Figures, LiveTruck, ShiftStage } from '@roadshow/contract/live/fleet'
import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { ANSWER_HOURS, PHONE_OFFLINE_HOURS } from '@roadshow/contract/planning/driver-marks'
import { viewShifts } from '@roadshow/contract/planning/shift-access'
import { useNavigate } from '@tanstack/react-router'
import { useList } from '../../api/useList.ts'
import { useMay } from '../../api/user.ts'
import { countOf, formatPhone } from '@roadshow/contract/platform/figures'
import { useNow } from '../../ui/useNow.ts'
import { SkeletonLine, ErrorState } from '../../ui/states.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { isHollow } from '../../ui/text/StateTag.tsx'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { NEW_RECORD } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { ageText } from '../facts/ages.ts'
import { IssueActions } from '../issues/IssueActions.tsx'
import { placeText } from '../facts/placeText.ts'
import { stateTone } from './truckState.tsx'
import { useFigures } from './useFigures.ts'
import { useShowIssues } from '../issues/useShowIssues.ts'
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
  /** What is about an issue offers what solves it. */
  issue?: TruckIssue
}

interface NeedsAttentionProps {
  trucks: readonly LiveTruck[] | undefined
  onChoose: (uid: string) => void
  onStage: (stage: ShiftStage) => void
}

/** When the state began that needs attention. */
function sinceOf({ state, positionAt, playerAt, shift, offShift }: LiveTruck): string | undefined {
  if (state === 'runningOver') return shift?.endsAt
  if (state === 'offShift') return offShift?.since
  if (state === 'darkScreen') return playerAt ?? shift?.startedAt ?? undefined
  if (state === 'playingSilent') return positionAt ?? undefined
  return state === 'notMoving' ? shift?.startsAt : undefined
}

interface IssueItemContext {
  /** The live truck, if its state costs money. */
  truck: LiveTruck | undefined
  now: number
  onOpen: () => void
}

function issueItem(issue: TruckIssue, { truck, now, onOpen }: IssueItemContext): AttentionItem {
  const { status, place, driver, assignee, text } = issue
  const more = [
    status !== 'open' && issueStatusLabel[status],
    assignee && `assigned to ${assignee.name}`,
    truck && liveStateLabel[truck.state],
    place && placeText(place, now),
    driver && [driver.name, formatPhone(driver.phone)].filter(Boolean).join(' '),
    text,
  ]
  return {
    key: issue.uid,
    truck: issue.truck.name,
    what: issueKindLabel[issue.kind],
    more: more.filter(Boolean).join(' · '),
    tone: status === 'open' ? 'bad' : 'warn',
    since: issue.openedAt,
    onOpen,
    issue,
  }
}

/** The shift of a truck; of a truck off shift where it is, and who drove it last. */
function moreOf({ shift, offShift }: LiveTruck): string {
  if (shift) return `${shift.program}, ${shift.market}`
  if (!offShift) return ''
  return [offShift.place, offShift.driver && `last driver ${offShift.driver}`].filter(Boolean).join(' · ')
}

const LIST_OF_SHIFTS = { access: viewShifts }

/** Shifts of today that need attention, one line for each reason. */
const stageItems = (shifts: Figures['shifts'], onStage: (stage: ShiftStage) => void): AttentionItem[] =>
  (
    [
      ['late', shifts.late, 'not started on time'],
      ['startedLate', shifts.startedLate, 'started late'],
      ['withoutPlays', shifts.withoutPlays, 'completed with miles and no plays'],
    ] as const
  ).flatMap(([stage, count, what]) =>
    count === 0
      ? []
      : [
          {
            key: stage,
            truck: countOf(count, 'shift'),
            what,
            tone: 'warn',
            more: '',
            since: undefined,
            onOpen: () => onStage(stage),
          } satisfies AttentionItem,
        ],
  )

const driverWords = {
  declined: 'declined by the driver',
  otherTruck: 'whose driver asks for another truck',
  phoneOffline: `whose driver’s phone has been offline for more than ${PHONE_OFFLINE_HOURS} hours`,
  unanswered: `without an answer from the driver, in the next ${ANSWER_HOURS} hours`,
} as const
type DriverReason = keyof typeof driverWords

/** Shifts that need attention because of their drivers, one line for each reason. */
const driverItems = (drivers: Figures['drivers'], onMark: (mark: DriverReason) => void): AttentionItem[] =>
  (Object.keys(driverWords) as DriverReason[]).flatMap((mark) => {
    const count = drivers?.[mark] ?? 0
    if (count === 0) return []
    const [truck, what] = [countOf(count, 'shift'), driverWords[mark]]
    return { key: mark, truck, what, tone: 'warn', more: '', since: undefined, onOpen: () => onMark(mark) }
  })

const truckItem = (truck: LiveTruck, onOpen: () => void): AttentionItem => ({
  key: truck.uid,
  truck: truck.number,
  what: liveStateLabel[truck.state],
  tone: stateTone[truck.state],
  more: moreOf(truck),
  since: sinceOf(truck),
  onOpen,
})

/** Open issues, trucks in a costly state and shifts that went wrong, oldest first; a truck is listed once. */
export function NeedsAttention({ trucks, onChoose, onStage }: NeedsAttentionProps) {
  const found = useList(fleet.issues, OPEN)
  const figures = useFigures().data
  const now = useNow(TICK_MS)
  const navigate = useNavigate()
  const open = (uid: string) =>
    void navigate({ to: '.', search: (old: UrlSearch) => ({ ...old, open: uid }), resetScroll: false })
  const mayList = useMay(LIST_OF_SHIFTS)
  const openShifts = (mark: DriverReason) =>
    void navigate({ to: '/schedule/program-schedule', search: { view: 'list', driverMark: mark } })
  const issues = found.data?.data
  if (found.isError && !issues) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!issues) return <SkeletonLine />
  const costly = (trucks ?? []).filter(({ state }) => costlyStates.includes(state))
  const withIssue = new Set(issues.map(({ truck }) => truck.uid))
  const truckOf = (issue: TruckIssue) => costly.find(({ uid }) => uid === issue.truck.uid)
  const items = [
    ...issues
      .filter(({ snoozedUntil }) => snoozedUntil === null)
      .map((issue) => issueItem(issue, { truck: truckOf(issue), now, onOpen: () => open(issue.uid) })),
    ...costly.filter(({ uid }) => !withIssue.has(uid)).map((truck) => truckItem(truck, () => onChoose(truck.uid))),
    ...(figures ? stageItems(figures.shifts, onStage) : []),
    ...(figures && mayList ? driverItems(figures.drivers, openShifts) : []),
  ].toSorted((one, other) => (one.since ?? '9').localeCompare(other.since ?? '9'))
  // Before all is known, nothing is said to be right.
  if (items.length === 0 && (!trucks || !figures)) return <SkeletonLine />
  return (
    <>
      {items.length === 0 && <p className={styles.calm}>Nothing needs attention right now.</p>}
      {items.length > 0 && (
        <List className={styles.needs} aria-label="Needs attention">
          {items.map((item) => (
            <li key={item.key}>
              <AttentionButton item={item} now={now} />
              {item.issue && (
                <div className={styles.acts}>
                  <IssueActions issue={item.issue} />
                </div>
              )}
            </li>
          ))}
        </List>
      )}
      <AttentionFooter snoozed={figures?.snoozedIssues ?? 0} onRaise={() => open(NEW_RECORD)} />
    </>
  )
}

interface AttentionFooterProps {
  snoozed: number
  onRaise: () => void
}

/** What waits for a later time, and the way to a new issue. */
function AttentionFooter({ snoozed, onRaise }: AttentionFooterProps) {
  const showIssues = useShowIssues()
  const mayWork = useMay(fleet.resolve)
  return (
    <p className={styles.footer}>
      {snoozed > 0 && (
        <button type="button" onClick={() => showIssues({ snoozed: 'yes' })}>
          {snoozed} snoozed
        </button>
      )}
      {mayWork && (
        <button type="button" onClick={onRaise}>
          Report an issue
        </button>
      )}
    </p>
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
    <Stack as="span" grow className={styles.needText}>
      <span>
        <strong>{item.truck}</strong> {item.what}
      </span>
      {item.more && <Soft small>{item.more}</Soft>}
    </Stack>
    {item.since && <Soft small>{ageText(item.since, now)}</Soft>}
  </button>
)
