import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import { dayText, formatHours, gapSentences, milesValue, playsValue } from '@roadshow/contract/proof/pop-figure-words'
import { formatCount, countOf } from '@roadshow/contract/platform/figures'
import { useCall } from '../../api/useCall.ts'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { ProgramImpressions } from '../impressions/ProgramImpressions.tsx'
import { PhotosLink, PlaysLink, ShiftsLink } from './figureLinks.tsx'
import { FigureRow } from './FigureRow.tsx'
import { frozenFigures, liveMiles, livePlays, versionName } from './figureText.ts'
import shared from './pop.module.css'

type Driven = ReplyOf<typeof pops.milesDriven>['data']
type MarketFigures = Driven['markets'][number]

const useLiveFigures = (program: string) => useCall(pops.milesDriven, { query: { programUid: program } })

/** The figures of a POP in short: the live ones with links to their rows, and below them those of its newest version. */
export function FigureSummary({ pop, more = [] }: { pop: Pop; more?: readonly (readonly [string, string])[] }) {
  const { uid: program, newestVersion } = pop
  return (
    <section aria-label="Figures" className={shared.summary}>
      <Soft as="p">Live, up to now</Soft>
      <FigureRow
        figures={[
          [
            'Miles',
            <ShiftsLink key="miles" program={program}>
              {liveMiles(pop)}
            </ShiftsLink>,
          ],
          [
            'Plays',
            <PlaysLink key="plays" program={program}>
              {livePlays(pop)}
            </PlaysLink>,
          ],
          [
            'Photos',
            <PhotosLink key="photos" program={program}>
              {formatCount(pop.photos)}
            </PhotosLink>,
          ],
          ...more,
        ]}
      />
      <ProgramImpressions program={program} />
      {newestVersion && (
        <Soft as="p" className="figures">
          {versionName(newestVersion)}: {frozenFigures(newestVersion)}
        </Soft>
      )}
    </section>
  )
}

/** The live figures of a program by market and by day, each with a link to its rows. */
export function LiveFigures({ program }: { program: string }) {
  const found = useLiveFigures(program)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  const { total, markets } = found.data
  return (
    <Stack gap={4} className={shared.stack}>
      <Soft as="p">Live figures, up to now. A published version keeps the figures of its publication.</Soft>
      <Notes notes={gapSentences(total)} />
      {markets.length === 0 ? <Soft as="p">No shift took place yet.</Soft> : <Markets {...{ program, markets }} />}
      {markets.map((market) => market.perDay.length > 0 && <Days key={market.marketUid} {...{ program, market }} />)}
    </Stack>
  )
}

const Notes = ({ notes }: { notes: readonly string[] }) =>
  notes.length > 0 && (
    <List>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </List>
  )

/** The columns of the markets of a program; most figures lead to their rows. */
const marketColumns = (program: string): FactColumn<MarketFigures>[] => {
  const shifts = (value: (market: MarketFigures) => string) => (market: MarketFigures) => (
    <ShiftsLink program={program} market={market.marketUid}>
      {value(market)}
    </ShiftsLink>
  )
  return [
    { title: 'Market', render: ({ market }) => market },
    { title: 'Miles', isNumber: true, render: shifts(milesValue) },
    { title: 'Hours', isNumber: true, render: shifts(({ seconds }) => formatHours(seconds)) },
    { title: 'Days', isNumber: true, render: shifts(({ days }) => formatCount(days)) },
    { title: 'Shifts', isNumber: true, render: shifts((market) => formatCount(market.shifts)) },
    {
      title: 'Plays',
      isNumber: true,
      render: (market) => (
        <PlaysLink program={program} market={market.marketUid}>
          {playsValue(market)}
        </PlaysLink>
      ),
    },
    {
      title: 'Verified plays',
      isNumber: true,
      render: (market) => (
        <PlaysLink program={program} market={market.marketUid} grade="verified">
          {formatCount(market.verifiedPlays)}
        </PlaysLink>
      ),
    },
  ]
}

const Markets = ({ program, markets }: { program: string; markets: readonly MarketFigures[] }) => (
  <FactTable
    label="Live figures by market"
    isWide
    columns={marketColumns(program)}
    rows={markets}
    rowKey={({ marketUid }) => marketUid}
    className={shared.byMarket ?? ''}
  />
)

const dayColumns = (program: string, market: string): FactColumn<MarketFigures['perDay'][number]>[] => [
  { title: 'Day', render: (each) => dayText(each).day },
  {
    title: 'Miles',
    isNumber: true,
    render: (each) => (
      <ShiftsLink program={program} market={market} day={each.day}>
        {dayText(each).miles}
      </ShiftsLink>
    ),
  },
  { title: 'Hours', isNumber: true, render: (each) => dayText(each).hours },
  {
    title: 'Plays',
    isNumber: true,
    render: (each) => (
      <PlaysLink program={program} market={market} day={each.day}>
        {dayText(each).plays}
      </PlaysLink>
    ),
  },
  {
    title: 'Verified plays',
    isNumber: true,
    render: (each) =>
      each.verifiedPlays > 0 ? (
        <PlaysLink program={program} market={market} day={each.day} grade="verified">
          {dayText(each).verified}
        </PlaysLink>
      ) : (
        dayText(each).verified
      ),
  },
]

const Days = ({ program, market }: { program: string; market: MarketFigures }) => (
  <details className={shared.days}>
    <summary>
      {market.market}: {countOf(market.perDay.length, 'day')}
    </summary>
    <FactTable
      label={`${market.market} by day`}
      isWide
      columns={dayColumns(program, market.marketUid)}
      rows={market.perDay}
      rowKey={({ day }) => day}
      className={shared.byMarket ?? ''}
    />
  </details>
)
