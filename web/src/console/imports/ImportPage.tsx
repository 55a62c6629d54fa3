import {
  importAccess,
  importDescriptions,
  importKindLabel,
  importKinds,
  imports,
} from '@roadshow/contract/console/imports'
import type { ImportKindName } from '@roadshow/contract/console/imports'
import { Button, Select } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { download } from '../../api/download.ts'
import { canCall, permissionsOf, useUser } from '../../api/user.ts'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { useSearchParam } from '../../ui/useSearchParam.ts'
import { ImportFile } from './ImportFile.tsx'
import { RecentImports } from './RecentImports.tsx'

/** The kinds that a user may import. */
function useImportKinds(): ImportKindName[] {
  const holder = permissionsOf(useUser())
  return importKinds.filter((kind) => canCall(holder, { access: importAccess(kind) }))
}

/** Records from a spreadsheet: a file is checked row by row, corrected, saved at once and undone if need be. */
export default function ImportPage() {
  const kinds = useImportKinds()
  const [asked, show] = useSearchParam('kind')
  const kind = kinds.find((each) => each === asked) ?? kinds[0]
  if (!kind) return <Soft as="p">You may not add any records.</Soft>
  return (
    <Stack gap={4}>
      <Row gap={3} wrap align="center">
        <Select<ImportKindName>
          aria-label="What to import"
          value={kind}
          onChange={show}
          style={{ minWidth: 240 }}
          options={kinds.map((each) => ({ value: each, label: importKindLabel[each] }))}
        />
        <ImportFiles kind={kind} />
      </Row>
      <ImportFile key={kind} kind={kind} rules={<Rules kind={kind} />} />
      <RecentImports />
    </Stack>
  )
}

/** A template to fill in, and what is there already in the same form. */
function ImportFiles({ kind }: { kind: ImportKindName }) {
  const notice = useNotice()
  const get = (endpoint: typeof imports.template | typeof imports.records, format: 'csv' | 'xlsx') => () => {
    download(endpoint, { query: { kind, format } }).catch((error: unknown) => notice(errorMessage(error), 'bad'))
  }
  return (
    <>
      <Button type="link" size="small" onClick={get(imports.template, 'xlsx')}>
        Excel template
      </Button>
      <Button type="link" size="small" onClick={get(imports.template, 'csv')}>
        CSV template
      </Button>
      <Button type="link" size="small" onClick={get(imports.records, 'xlsx')}>
        Export as Excel
      </Button>
    </>
  )
}

function Rules({ kind }: { kind: ImportKindName }) {
  const { columns, rules } = importDescriptions[kind]
  const titles = Object.values(columns).map(([title]) => title)
  return (
    <Soft as="div">
      A CSV or Excel file. One row names the columns; titles and blank rows above it are skipped: {titles.join(', ')}.
      <ul>
        {rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    </Soft>
  )
}
