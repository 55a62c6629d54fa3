import type { BusinessFigures, BusinessWeek } from '@roadshow/contract/console/business'
import { fleet } from '@roadshow/contract/live/fleet'
import { formatMonth } from '@roadshow/contract/platform/dates'
import { countOf, formatCount, formatDollars } from '@roadshow/contract/platform/figures'
import type { ReactNode } from 'react'
import { useCall, useReply } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { useFigures } from '../../live/fleet/useFigures.ts'
import { Sparkline } from '../../ui/charts/Sparkline.tsx'
import { Soft } from '../../ui/layout.tsx'
import { lazyOverlay } from '../../ui/lazyPart.tsx'
import { EM_DASH } from '../../ui/text/dash.ts'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { figuresCall } from './firstScreenCalls.ts'
import styles from './BusinessStrip.module.css'

const BusinessDrawer = lazyOverlay(() => import('./BusinessDrawer.tsx'))

/** How the business does this month, each figure with its last twelve weeks; a figure opens to its rows. */
export default function BusinessStrip() {
  const may = useMay(figuresCall)
  const found = useCall(figuresCall, {}, { enabled: may })
  const [open, show] = useSearchParam('business')
  const figures = found.data
  if (!may || found.isError || figures?.programs.length === 0) return null
  if (!figures) return <div className={styles.waiting} />
  return (
    <>
      <div className={styles.strip} role="group" aria-label="The business">
        <Tile
          onOpen={() => show('value')}
          label={`Delivered, ${formatMonth(figures.month)}`}
          line={<ValueLine {...figures} />}
        >
          {figures.deliveredCents === null ? 'No prices' : formatDollars(figures.deliveredCents)}
          {figures.bookedCents !== null && <Soft> of {formatDollars(figures.bookedCents)}</Soft>}
        </Tile>
        <Tile onOpen={() => show('value')} label="Campaigns on pace" line={<PaceLine weeks={figures.weeks} />}>
          {figures.onPace}
          <Soft> of {figures.running}</Soft>
        </Tile>
        <Tile onOpen={() => show('weeks')} label="Trucks late or dark" line={<TroubleLine weeks={figures.weeks} />}>
          <TroubleNow />
        </Tile>
      </div>
      {open !== undefined && <BusinessDrawer open figures={figures} part={open} onClose={() => show(undefined)} />}
    </>
  )
}

const DARK_NOW = { kind: 'noPlays', snoozed: 'no', pageSize: '1' } as const

interface TileProps {
  label: string
  line: ReactNode
  onOpen: () => void
  children: ReactNode
}

const Tile = ({ label, line, onOpen, children }: TileProps) => (
  <button type="button" className={styles.tile} onClick={onOpen}>
    <span>
      <Soft small>{label}</Soft>
      <strong className={`${styles.figure} figures`}>{children}</strong>
    </span>
    {line}
  </button>
)

function ValueLine({ weeks }: Pick<BusinessFigures, 'weeks'>) {
  const last = weeks.at(-2)
  const sentence = `Delivered value of 12 weeks; last week ${formatDollars(last?.deliveredCents ?? 0)} of ${formatDollars(last?.bookedCents ?? 0)}`
  return (
    <Sparkline
      sentence={sentence}
      values={weeks.map(({ deliveredCents }) => deliveredCents)}
      beside={weeks.map(({ bookedCents }) => bookedCents)}
    />
  )
}

const shareOnPace = ({ running, onPace }: BusinessWeek) => (running === 0 ? null : onPace / running)

const PaceLine = ({ weeks }: Pick<BusinessFigures, 'weeks'>) => (
  <Sparkline
    sentence={`Share of campaigns on pace in 12 weeks; last week ${weeks.at(-2)?.onPace ?? 0} of ${weeks.at(-2)?.running ?? 0}`}
    values={weeks.map(shareOnPace)}
  />
)

const TroubleLine = ({ weeks }: Pick<BusinessFigures, 'weeks'>) => (
  <Sparkline
    sentence={`Late starts and dark trucks of 12 weeks; last week ${countOf(weeks.at(-2)?.late ?? 0, 'late start')} and ${countOf(weeks.at(-2)?.dark ?? 0, 'dark truck')}`}
    values={weeks.map(({ late, dark }) => late + dark)}
  />
)

/** Late shifts as among the figures of today, and trucks with an open issue of missing plays, as the weeks count them. */
function TroubleNow() {
  const late = useFigures().data?.shifts.late
  const dark = useReply(fleet.issues, { query: DARK_NOW }).data?.total
  const shown = (count: number | undefined) => (count === undefined ? EM_DASH : formatCount(count))
  return (
    <>
      {shown(late)}
      <Soft> late, </Soft>
      {shown(dark)}
      <Soft> dark</Soft>
    </>
  )
}
