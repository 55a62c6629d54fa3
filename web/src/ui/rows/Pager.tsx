import { formatCount } from '@roadshow/contract/platform/figures'
import { Button } from 'antd'
import { Row } from '../layout.tsx'

interface PagerProps {
  page: number
  perPage: number
  total: number
  onChange: (page: number) => void
}

/** The way through a list that is longer than a page; for a shorter one there is none. */
export function Pager({ page, perPage, total, onChange }: PagerProps) {
  const last = Math.ceil(total / perPage)
  if (last <= 1) return null
  const step = (by: number, label: string, sign: string) => (
    // Turning pages changes nothing, so it is open also where the form around it is not.
    <Button
      type="text"
      size="small"
      aria-label={label}
      disabled={page + by < 1 || page + by > last}
      onClick={() => onChange(page + by)}
    >
      {sign}
    </Button>
  )
  return (
    <Row as="nav" gap={1} align="center" aria-label="Pages" style={{ flex: 'none' }}>
      {step(-1, 'Previous page', '‹')}
      <span className="figures">
        {formatCount(page)} / {formatCount(last)}
      </span>
      {step(1, 'Next page', '›')}
    </Row>
  )
}
