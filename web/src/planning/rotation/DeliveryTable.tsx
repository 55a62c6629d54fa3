import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { clockAt, formatTimes } from '@roadshow/contract/platform/dates'
import { formatCount } from '@roadshow/contract/platform/figures'
import { differenceOf } from '@roadshow/contract/planning/loop-delivery'
import type { ComparedHour, ComparedLoop } from '@roadshow/contract/planning/loop-delivery'
import { adLog } from '@roadshow/contract/proof/ad-log'
import type { ReactNode } from 'react'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { Soft, Stack } from '../../ui/layout.tsx'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { EM_DASH } from '../../ui/text/dash.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { differenceText, expectedText, hourNote, shareText, sideTexts } from './deliveryWords.ts'
import styles from './LoopPlan.module.css'
import type { ShiftOfLoop } from './useShiftLoop.ts'

type Compared = ComparedLoop<TruckSide>

interface DeliveryTableProps {
  shift: ShiftOfLoop
  compared: Compared
  /** By line. */
  names: readonly string[]
}

/** An hour, or all that are over. */
interface DeliveryRow {
  key: number
  name: string
  note: string
  plays: Compared['over']
  hour: ComparedHour | undefined
  /** The ad log of exactly these plays; undefined where its filters cannot tell them apart. */
  log: UrlSearch | undefined
}

/** The lines of a rotation over the clock hours of a shift. */
export function DeliveryTable({ shift, compared, names }: DeliveryTableProps) {
  const { sides, lines, hours } = compared
  const columns: FactColumn<DeliveryRow>[] = [
    {
      title: 'Hour',
      render: ({ name, note }) => (
        <Stack className={styles.hourName}>
          {name}
          {note && (
            <Soft small className={styles.hourNote}>
              {note}
            </Soft>
          )}
        </Stack>
      ),
    },
    ...lines.map((_, index) => ({
      title: names[index] ?? '',
      isNumber: true,
      render: (row: DeliveryRow) => <Share row={row} line={lines[index]} index={index} sides={sides} />,
    })),
    ...playsColumn('SD addresses', hours, ({ forAddresses }) => forAddresses),
    ...playsColumn('Other artwork', hours, ({ others }) => others),
    { title: 'All sides', isNumber: true, render: (row) => <AllSides row={row} /> },
  ]
  return (
    <FactTable
      label="Expected and delivered plays"
      columns={columns}
      rows={rowsOf(compared, shift)}
      rowKey={({ key }) => key}
      total={totalOf(compared, shift)}
      isFramed
      isWide
      className={styles.delivery ?? ''}
    />
  )
}

/** Plays of no line, on all sides; left out where there are none. */
const playsColumn = (
  title: string,
  hours: readonly ComparedHour[],
  playsOf: (plays: Compared['over']) => number,
): FactColumn<DeliveryRow>[] =>
  hours.some((hour) => playsOf(hour) > 0)
    ? [{ title, isNumber: true, render: ({ plays }) => formatCount(playsOf(plays)) }]
    : []

const logOf = ({ uid, program }: ShiftOfLoop): UrlSearch => ({ program: program.uid, shift: uid })

function rowsOf({ hours }: Compared, shift: ShiftOfLoop): DeliveryRow[] {
  const clockHour = ({ from }: ComparedHour) => Number(clockAt(from, shift.zone).slice(0, 2))
  return hours.map((hour) => {
    const clock = clockHour(hour)
    // On the night when clocks go back an hour comes twice, and the ad log shows both.
    const isOnce = hours.filter((other) => clockHour(other) === clock).length === 1
    return {
      key: hour.from,
      name: formatTimes(hour.from, hour.to, shift.zone),
      note: hourNote(hour, shift.zone),
      plays: hour,
      hour,
      log: isOnce ? { ...logOf(shift), fromHour: String(clock), toHour: String(clock + 1) } : undefined,
    }
  })
}

function totalOf({ hours, over }: Compared, shift: ShiftOfLoop): DeliveryRow {
  const isAll = hours.every(({ stage }) => stage === 'over')
  const isOfLog = hours.every(({ stage, plays }) => stage === 'over' || plays === 0)
  return {
    key: 0,
    name: isAll ? 'Total' : 'Hours that are over',
    note: '',
    plays: over,
    hour: undefined,
    log: isOfLog ? logOf(shift) : undefined,
  }
}

interface ShareProps {
  row: DeliveryRow
  line: Compared['lines'][number] | undefined
  index: number
  sides: readonly TruckSide[]
}

/** What a line had of an hour, and what it was expected to have. */
function Share({ row: { hour, plays }, line, index, sides }: ShareProps): ReactNode {
  const share = plays.shares[index]
  if (!line || !share) return null
  const isAhead = hour?.stage === 'ahead'
  const text = isAhead ? expectedText(share) : shareText(share)
  const difference = hour ? differenceText(differenceOf(hour, line, share)) : ''
  return (
    <Stack align="end">
      {isAhead && text ? <Soft>{text}</Soft> : text || EM_DASH}
      {difference && <strong>{difference}</strong>}
      {line.isMissing && text && <Soft small>not approved</Soft>}
      {!isAhead &&
        sideTexts(share, sides).map((each) => (
          <Soft small key={each}>
            {each}
          </Soft>
        ))}
    </Stack>
  )
}

/** The plays of an hour, which lead to the ad log. */
function AllSides({ row: { hour, plays, log } }: { row: DeliveryRow }): ReactNode {
  if (hour?.stage === 'ahead') return null
  const figure = formatCount(plays.plays)
  if (!log || plays.plays === 0) return figure
  return (
    <FigureLink list={adLog.list} to="/ad-log" search={log}>
      {figure}
    </FigureLink>
  )
}
