import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { pops } from '@roadshow/contract/proof/pop'
import type { Pop } from '@roadshow/contract/proof/pop'
import {
  dayText,
  formatHours,
  formatNumber,
  gapSentences,
  milesValue,
  playsValue,
  pluralize,
} from '@roadshow/contract/proof/pop-figure-words'
import { useCall } from '../../api/useCall.ts'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { ProgramImpressions } from '../impressions/ProgramImpressions.tsx'
import { PhotosLink, PlaysLink, ShiftsLink } from './figureLinks.tsx'
import { FigureRow } from './FigureRow.tsx'
import { frozenFigures, liveMiles, livePlays, versionName } from './figureText.ts'
import { formatCount } from '../../ui/numbers.ts'
import shared from './pop.module.css'
import styles from './LiveFigures.module.css'

type Driven = ReplyOf<typeof pops.milesDriven>['data']
type MarketFigures = Driven['markets'][number]

const useLiveFigures = (program: string) => useCall(pops.milesDriven, { query: { programUid: program } })

/** The figures of a POP in short: the live ones with links to their rows, and below them those of its newest version. */
export function FigureSummary({ pop, more = [] }: { pop: Pop; more?: readonly (readonly [string, string])[] }) {
  const { uid: program, newestVersion } = pop
  return (
    <section aria-label="Figures" className={styles.summary}>
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

const Markets = ({ program, markets }: { program: string; markets: readonly MarketFigures[] }) => (
  <div className={styles.scroll}>
    <table className={`figures ${styles.byMarket ?? ''}`}>
      <thead>
        <tr>
          {['Market', 'Miles', 'Hours', 'Days', 'Shifts', 'Plays', 'Verified plays'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {markets.map((market) => (
          <MarketRow key={market.marketUid} program={program} market={market} />
        ))}
      </tbody>
    </table>
  </div>
)

function MarketRow({ program, market }: { program: string; market: MarketFigures }) {
  const rows = { program, market: market.marketUid }
  const driven = [
    ['miles', milesValue(market)],
    ['hours', formatHours(market.seconds)],
    ['days', formatNumber(market.days)],
    ['shifts', formatNumber(market.shifts)],
  ] as const
  return (
    <tr>
      <th scope="row">{market.market}</th>
      {driven.map(([what, value]) => (
        <td key={what}>
          <ShiftsLink {...rows}>{value}</ShiftsLink>
        </td>
      ))}
      <td>
        <PlaysLink {...rows}>{playsValue(market)}</PlaysLink>
      </td>
      <td>{formatNumber(market.verifiedPlays)}</td>
    </tr>
  )
}

function Days({ program, market }: { program: string; market: MarketFigures }) {
  return (
    <details className={styles.days}>
      <summary>
        {market.market}: {pluralize(market.perDay.length, 'day')}
      </summary>
      {/* Scrolled with the arrow keys where it is wider than the window. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={`${market.market} by day`}>
        <table className={`figures ${styles.byMarket ?? ''}`}>
          <thead>
            <tr>
              {['Day', 'Miles', 'Hours', 'Plays', 'Verified plays'].map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {market.perDay.map((each) => {
              const { day, miles, hours, plays, verified } = dayText(each)
              const rows = { program, market: market.marketUid, day: each.day }
              return (
                <tr key={each.day}>
                  <th scope="row">{day}</th>
                  <td>
                    <ShiftsLink {...rows}>{miles}</ShiftsLink>
                  </td>
                  <td>{hours}</td>
                  <td>
                    <PlaysLink {...rows}>{plays}</PlaysLink>
                  </td>
                  <td>{verified}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </details>
  )
}
