import { fleet } from '@roadshow/contract/live/fleet'
import { adLog } from '@roadshow/contract/proof/ad-log'
import { useCall } from '../../api/useCall.ts'
import { FigureLink } from '../../ui/FigureLink.tsx'
import { formatCount } from '../../ui/numbers.ts'
import { ErrorState, SkeletonLine } from '../../ui/states.tsx'
import { formatWeekday } from '../../ui/time.ts'
import shared from './overview.module.css'
import styles from './PlaysToday.module.css'

/** Today's plays by program and market; each count leads to its plays. */
export default function PlaysToday() {
  const found = useCall(fleet.playsToday)
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLine />
  if (found.data.length === 0) return <p className={shared.calm}>No plays today.</p>
  return (
    <table className={styles.plays} aria-label="Plays of today">
      <thead>
        <tr>
          <th scope="col">Program</th>
          <th scope="col">Market</th>
          <th scope="col">Day</th>
          <th scope="col">Plays</th>
        </tr>
      </thead>
      <tbody>
        {found.data.map(({ program, market, day, plays }) => (
          <tr key={`${program.uid} ${market.uid}`}>
            <td>{program.name}</td>
            <td>{market.name}</td>
            <td>{formatWeekday(day)}</td>
            <td className="figures">
              <FigureLink
                list={adLog.list}
                to="/ad-log"
                search={{ program: program.uid, market: market.uid, from: day, to: day }}
              >
                {formatCount(plays)}
              </FigureLink>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
