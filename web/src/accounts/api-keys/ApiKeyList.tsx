import { apiKeys, apiKeyStateLabel } from '@roadshow/contract/accounts/api-keys'
import type { ApiKey } from '@roadshow/contract/accounts/api-keys'
import { API_BASE } from '@roadshow/contract/platform/constants'
import { moduleLabel } from '@roadshow/contract/platform/permissions'
import { Button } from 'antd'
import type { Column } from '../../ui/rows/columns.ts'
import { DataTable } from '../../ui/list/DataTable.tsx'
import type { Filter } from '../../ui/list/FilterChips.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import { localZone, formatMoment } from '@roadshow/contract/platform/dates'
import { useNow } from '../../ui/useNow.ts'
import { EM_DASH } from '../../ui/text/dash.ts'
import { accessWord, expiryWarning, stateTone } from './keyWords.ts'
import styles from './ApiKeyList.module.css'
import { lazyForm } from '../../ui/record/RecordDrawer.tsx'

const ApiKeyDrawer = lazyForm(() => import('./ApiKeyDrawer.tsx'))

function State({ apiKey }: { apiKey: ApiKey }) {
  const warning = expiryWarning(apiKey, useNow())
  if (warning) return <StateTag tone="warn">{warning}</StateTag>
  return <StateTag tone={stateTone[apiKey.state]}>{apiKeyStateLabel[apiKey.state]}</StateTag>
}

const columns: Column<ApiKey>[] = [
  {
    key: 'name',
    title: 'Name',
    render: ({ name, start }) => (
      <>
        {name} <span className={styles.start}>{start}…</span>
      </>
    ),
  },
  { key: 'state', title: 'Status', width: 160, render: (apiKey) => <State apiKey={apiKey} /> },
  { key: 'access', title: 'Access', width: 130, render: ({ access }) => accessWord[access] },
  { key: 'client', title: 'Client', width: 140, render: ({ client }) => client?.name ?? 'All clients' },
  {
    key: 'modules',
    title: 'Modules',
    secondary: true,
    render: ({ modules }) => modules.map((key) => moduleLabel[key]).join(', '),
  },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    width: 190,
    render: ({ lastUsedAt }) => (lastUsedAt ? formatMoment(lastUsedAt, localZone()) : EM_DASH),
  },
  { key: 'expiresAt', title: 'Expires', width: 190, render: ({ expiresAt }) => formatMoment(expiresAt, localZone()) },
  { key: 'createdBy', title: 'Created by', width: 140, secondary: true, render: ({ createdBy }) => createdBy.name },
]

const filters: Filter[] = [{ key: 'state', label: 'Status', words: apiKeyStateLabel }]

/** The keys of programs that call the API, newest first. */
const ApiKeyList = () => (
  <DataTable
    nouns={['API key', 'API keys']}
    list={apiKeys.list}
    columns={columns}
    filters={filters}
    create={apiKeys.create}
    form={ApiKeyDrawer}
    actions={
      <Button href={`${API_BASE}/docs`} target="_blank" rel="noreferrer">
        API documentation
      </Button>
    }
    empty="No API keys yet. Create one so that another program, such as a data warehouse, can call the API."
  />
)

export default ApiKeyList
