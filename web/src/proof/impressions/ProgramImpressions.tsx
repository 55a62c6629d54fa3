import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { impressions } from '@roadshow/contract/proof/impressions'
import { formatEstimate, impressionNote, MODELED } from '@roadshow/contract/proof/pop-figure-words'
import { formatCount } from '@roadshow/contract/platform/figures'
import { useCall } from '../../api/useCall.ts'
import { useMay } from '../../api/user.ts'
import { EM_DASH } from '../../ui/text/dash.ts'
import { FactTable } from '../../ui/rows/FactTable.tsx'
import type { FactColumn } from '../../ui/rows/FactTable.tsx'
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

type MarketEstimate = Found['markets'][number]

const estimate =
  (key: 'low' | 'likely' | 'high', without: string = EM_DASH) =>
  (market: MarketEstimate) =>
    market.shifts === 0 ? without : formatEstimate(market[key])

const columns: FactColumn<MarketEstimate>[] = [
  { title: 'Market', render: ({ market }) => market },
  { title: 'Low', isNumber: true, render: estimate('low') },
  { title: 'Likely', isNumber: true, render: estimate('likely', 'No GPS data') },
  { title: 'High', isNumber: true, render: estimate('high') },
  { title: 'Shifts', isNumber: true, render: ({ shifts }) => formatCount(shifts) },
]

const Markets = ({ markets }: { markets: Found['markets'] }) => (
  <FactTable
    label="Estimated impressions by market"
    isWide
    columns={columns}
    rows={markets}
    rowKey={({ marketUid }) => marketUid}
  />
)
