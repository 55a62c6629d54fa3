import { pops } from '@roadshow/contract/proof/pop'
import { useQuery } from '@tanstack/react-query'
import { Skeleton } from 'antd'
import { call } from '../../api/call.ts'
import { keyOf } from '../../api/queryClient.ts'
import { RowLink } from '../../ui/RowLink.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { FigureRow } from './FigureRow.tsx'
import { PopStateTag } from './popColumns.tsx'
import { formatCount, wholeMiles } from '../../ui/numbers.ts'
import { PublicLink } from './publication/PublicLink.tsx'
import { usePop } from './usePop.ts'
import shared from './pop.module.css'
import styles from './PopTab.module.css'

/** The POP of a program in its drawer: its figures and a link. */
export function PopTab({ program }: { program: string }) {
  const found = usePop(program)
  const driven = useQuery({
    queryKey: keyOf(pops.milesDriven, { programUid: program }),
    queryFn: async ({ signal }) => (await call(pops.milesDriven, { query: { programUid: program } }, { signal })).data,
  })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <Skeleton active />
  const pop = found.data
  return (
    <div className={shared.stack}>
      <div className={shared.shown}>
        <PopStateTag state={pop.state} />
        {pop.shownVersion !== null && <span className="figures">version {pop.shownVersion}</span>}
        <span className={`figures ${shared.soft ?? ''}`}>
          {formatCount(pop.views)} {pop.views === 1 ? 'view' : 'views'}
        </span>
      </div>
      {pop.state === 'published' && <PublicLink pop={pop} />}
      <FigureRow
        figures={[
          ['Miles', wholeMiles(pop.metres)],
          ['Plays', formatCount(pop.plays)],
          ['Photos', formatCount(pop.photos)],
          ['Photos waiting', formatCount(pop.photosWaiting)],
        ]}
      />
      {driven.isError && <ErrorState error={driven.error} onRetry={() => void driven.refetch()} />}
      {driven.data && driven.data.markets.length > 0 && (
        <table className={`figures ${styles.byMarket ?? ''}`}>
          <thead>
            <tr>
              <th scope="col">Market</th>
              <th scope="col">Miles</th>
              <th scope="col">Plays</th>
              <th scope="col">Shifts</th>
            </tr>
          </thead>
          <tbody>
            {driven.data.markets.map(({ market, metres, plays, shifts }) => (
              <tr key={market}>
                <th scope="row">{market}</th>
                <td>{wholeMiles(metres)}</td>
                <td>{formatCount(plays)}</td>
                <td>{formatCount(shifts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        <RowLink uid={pop.uid} to="/client-pop">
          Open in POP
        </RowLink>
      </p>
    </div>
  )
}
