import { Pagination } from 'antd'

interface PagesProps {
  page: number
  perPage: number
  total: number
  onChange: (page: number) => void
}

/** The way through a list that is longer than a page; for a shorter one there is none. */
export const Pages = ({ page, perPage, total, onChange }: PagesProps) =>
  total > perPage && (
    // Turning pages changes nothing, so it is open also where the form around it is not.
    <Pagination
      simple
      showSizeChanger={false}
      size="small"
      disabled={false}
      current={page}
      pageSize={perPage}
      total={total}
      onChange={onChange}
    />
  )
