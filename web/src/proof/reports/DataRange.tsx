import { formatDays } from '@roadshow/contract/platform/dates'
import { Button } from 'antd'
import { Soft } from '../../ui/layout.tsx'
import styles from './reports.module.css'

interface DataRangeProps {
  days: { firstDay: string; lastDay: string }
  onShowAll: () => void
}

/** The days that have data, and a button that shows all of them. */
export const DataRange = ({ days: { firstDay, lastDay }, onShowAll }: DataRangeProps) => (
  <Soft as="p" small className={styles.hint}>
    Data available: {formatDays(firstDay, lastDay)}.{' '}
    <Button type="link" size="small" onClick={onShowAll}>
      Show all
    </Button>
  </Soft>
)
