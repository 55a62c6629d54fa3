import { payAnomalyLabel } from '@roadshow/contract/pay/payroll'
import type { AnomalyCount, PayAnomaly } from '@roadshow/contract/pay/payroll'
import { Row } from '../../ui/layout.tsx'
import { formatCount } from '@roadshow/contract/platform/figures'
import styles from './AnomalyKinds.module.css'

interface AnomalyKindsProps {
  kinds: readonly AnomalyCount[]
  /** The kind that the list is filtered by. */
  shown: string | undefined
  onShow: (kind: PayAnomaly | undefined) => void
}

/** The anomalies of the period by kind; each button shows the drivers who have it. */
export const AnomalyKinds = ({ kinds, shown, onShow }: AnomalyKindsProps) =>
  kinds.length > 0 && (
    <Row as="ul" gap={2} wrap className={styles.kinds} aria-label="Problems by type">
      {kinds.map(({ kind, shifts }) => (
        <li key={kind}>
          <button
            type="button"
            aria-pressed={kind === shown}
            data-kind={kind}
            onClick={() => onShow(kind === shown ? undefined : kind)}
          >
            {payAnomalyLabel[kind]} <span className="figures">{formatCount(shifts)}</span>
          </button>
        </li>
      ))}
    </Row>
  )
