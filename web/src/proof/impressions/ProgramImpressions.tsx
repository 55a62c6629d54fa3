import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { impressions } from '@roadshow/contract/proof/impressions'
import { formatEstimate, formatNumber, impressionNote, MODELED } from '@roadshow/contract/proof/pop-figure-words'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { Soft } from '../../ui/layout.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { MethodFiles } from './MethodFiles.tsx'
import styles from './impressions.module.css'

type Found = NonNullable<ReplyOf<typeof impressions.program>['data']>

/** The estimated impressions of a program up to now; nothing where they are turned off. */
export function ProgramImpressions({ program }: { program: string }) {
  const mayRead = useMay(impressions.program)
  const found = useCall(impressions.program, { params: { uid: program } }, { enabled: mayRead })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return null
  const { total, markets } = found.data
  return (
    <section className={styles.estimate} aria-label="Estimated impressions">
      <h3>Estimated impressions</h3>
      {total.shifts === 0 ? (
        <Soft as="p">No estimate yet: no GPS data of its shifts. {MODELED}</Soft>
      ) : (
        <>
          <p className={`figures ${styles.likely ?? ''}`}>{formatEstimate(total.likely)}</p>
          <p className="figures">{impressionNote(total)}</p>
          {markets.length > 1 && <Markets markets={markets} />}
          {total.methods.map(({ version }) => (
            <MethodFiles key={version} version={version} />
          ))}
        </>
      )}
    </section>
  )
}

const COLUMNS = ['Market', 'Low', 'Likely', 'High', 'Shifts']

const Markets = ({ markets }: { markets: Found['markets'] }) => (
  <div className={styles.scroll}>
    <table className={`figures ${styles.table ?? ''}`}>
      <thead>
        <tr>
          {COLUMNS.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {markets.map(({ marketUid, market, low, likely, high, shifts }) => (
          <tr key={marketUid}>
            <th scope="row">{market}</th>
            {shifts === 0 ? (
              <td colSpan={3} data-number="">
                No GPS data
              </td>
            ) : (
              [low, likely, high].map((count, index) => (
                <td key={COLUMNS[index + 1]} data-number="">
                  {formatEstimate(count)}
                </td>
              ))
            )}
            <td data-number="">{formatNumber(shifts)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
