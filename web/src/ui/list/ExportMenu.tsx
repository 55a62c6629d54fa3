import type { ExportFormat } from '@roadshow/contract/platform/common'
import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import type * as z from '@roadshow/contract/platform/zod'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { useNotice } from '../notices.tsx'
import { localZone } from '@roadshow/contract/platform/dates'
import type { UrlSearch } from '../useListState.ts'
import { lazyOverlay } from '../lazyPart.tsx'

// Few lists are ever that long.
const TooManyRows = lazyOverlay(
  () => import('./ExcelLimitDialog.tsx'),
  ({ onCancel }) => onCancel(),
)

const formats: { key: ExportFormat; label: string }[] = [
  { key: 'csv', label: 'CSV' },
  { key: 'xlsx', label: 'Excel (XLSX)' },
]

/** Downloads every row of what the list shows, with its search, filters and order, whatever page is on the screen. */
export function ExportMenu({ list, query }: { list: Endpoint & { query: z.ZodObject }; query: UrlSearch }) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string>()
  const notice = useNotice()
  const fetchAs = async (format: string) => {
    setBusy(true)
    setRefused(undefined)
    const { page: _, pageSize: __, ...asked } = query
    await download(list, { query: { ...asked, format, timeZone: localZone() } }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'tooManyRows') setRefused(error.message)
      else notice(errorMessage(error), 'bad')
    })
    setBusy(false)
  }
  return (
    <>
      <Dropdown trigger={['click']} menu={{ items: formats, onClick: ({ key }) => void fetchAs(key) }}>
        <Button loading={busy} aria-haspopup="menu">
          Export
        </Button>
      </Dropdown>
      {refused !== undefined && (
        <TooManyRows why={refused} onCsv={() => void fetchAs('csv')} onCancel={() => setRefused(undefined)} />
      )}
    </>
  )
}
