import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import type { ListOf } from '../../api/useList.ts'
import { csvText, downloadText } from '../../ui/import/csv.ts'
import { ExportMenu } from '../../ui/list/ExportMenu.tsx'
import { useNotice } from '../../ui/notices.tsx'
import type { ClassicColumn } from './columns.ts'
import { allOf } from './useAll.ts'

interface ExportTableProps<Row> {
  list: ListOf<Row>
  query: Record<string, string | string[] | undefined>
  columns: readonly ClassicColumn<Row>[]
  /** The name of the file: `drivers-2026-11-16`. */
  name: string
}

/** Downloads every row of what a table shows: as the server writes it, otherwise its columns as a CSV file. */
export function ExportTable<Row>({ list, query, columns, name }: ExportTableProps<Row>) {
  const [isBusy, setBusy] = useState(false)
  const notice = useNotice()
  if ('format' in list.query.shape) return <ExportMenu list={list} query={query} />
  const write = async () => {
    setBusy(true)
    try {
      const rows = await allOf(list, query)
      const head = columns.map(({ label }) => label)
      downloadText(`${name}.csv`, csvText([head, ...rows.map((row) => columns.map(({ text }) => text(row)))]))
    } catch (error) {
      notice(errorMessage(error), 'bad')
    }
    setBusy(false)
  }
  return (
    <Button loading={isBusy} onClick={() => void write()}>
      Export CSV
    </Button>
  )
}
