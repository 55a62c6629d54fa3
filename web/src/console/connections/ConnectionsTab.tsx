import { connectionGroupLabel, connectionStateLabel, services } from '@roadshow/contract/console/services'
import type { Connection, ConnectionState } from '@roadshow/contract/console/services'
import { sources } from '@roadshow/contract/live/position-sources'
import type { PositionSource } from '@roadshow/contract/live/position-sources'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { Button } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useCall, useReply } from '../../api/useCall.ts'
import { useSave } from '../../api/useSave.ts'
import { SourceAccount } from '../../live/trackers/SourceAccount.tsx'
import { List, Row, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { TurnOn } from './TurnOn.tsx'
import styles from './connections.module.css'

const tones: Record<ConnectionState, Tone> = { working: 'driving', failing: 'bad', untried: 'parked', off: 'silent' }

const moment = (at: string) => formatDateTime(at, localZone())

/** What a person asks next of a connection: since when it works, and what was wrong last. */
function historyOf({ state, lastSuccessAt, lastError, lastErrorAt }: Connection): string[] {
  if (state === 'off') return []
  return [
    lastSuccessAt === null ? 'It has not worked yet.' : `Worked last ${moment(lastSuccessAt)}.`,
    ...(lastError === null || lastErrorAt === null ? [] : [`Last problem ${moment(lastErrorAt)}: ${lastError}`]),
  ]
}

/** Everything the server talks to, each with its state and a test, for a tab of the settings. */
export function ConnectionsTab() {
  const found = useReply(services.connections)
  const { data: all = [] } = useCall(sources.list, {})
  const rows = found.data?.data
  return (
    <Stack gap={3}>
      <Soft>
        What this server talks to. The states are those of the server that answered; a test uses the connection once and
        shows the result.
      </Soft>
      {found.isError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!rows && !found.isError && <SkeletonLines rows={8} />}
      <List aria-label="Connections" className={styles.list} divided>
        {rows?.map((connection) => (
          <ConnectionRow
            key={connection.key}
            connection={connection}
            source={all.find(({ uid }) => connection.key === `trackers ${uid}`)}
          />
        ))}
      </List>
    </Stack>
  )
}

/** Accounts that can be changed here: those of the server's own settings can't. */
const hasAccount = ({ state }: Connection, source: PositionSource | undefined): source is PositionSource =>
  state !== 'off' && (source?.kind === 'geotab' || source?.kind === 'samsara') && source.account?.isSetByServer !== true

interface ConnectionRowProps {
  connection: Connection
  source: PositionSource | undefined
}

function ConnectionRow({ connection, source }: ConnectionRowProps) {
  const { key, group, name, detail, state, setUpIn, canTest, turnOn } = connection
  const [isEditing, setEditing] = useState(false)
  const title = group === 'trackers' ? `${connectionGroupLabel.trackers}: ${name}` : name
  return (
    <li data-state={state}>
      <Row gap={2} between align="baseline" wrap>
        <Row gap={2} align="baseline" wrap>
          <strong>{title}</strong>
          <StateTag tone={tones[state]}>{connectionStateLabel[state]}</StateTag>
        </Row>
        <Row gap={2}>
          {hasAccount(connection, source) && (
            <Button onClick={() => setEditing(true)} aria-label={`Account of ${name}`}>
              Account
            </Button>
          )}
          {turnOn?.step && <TurnOn step={turnOn.step} source={source} />}
          {canTest && <TestButton key={key} connection={connection} title={title} />}
        </Row>
      </Row>
      <Soft>
        {setUpIn === 'server' && state !== 'off' ? `${detail.replace(/\.$/, '')}. Set by the server.` : detail}
      </Soft>
      {turnOn && <p>{turnOn.text}</p>}
      {historyOf(connection).map((line) => (
        <Soft key={line} as="p">
          {line}
        </Soft>
      ))}
      {isEditing && source && <SourceAccount source={source} onClose={() => setEditing(false)} />}
    </li>
  )
}

function TestButton({ connection: { key }, title }: { connection: Connection; title: string }) {
  const test = useSave(services.testConnection)
  const text = test.isError ? errorMessage(test.error) : test.data?.data.text
  return (
    <Stack gap={1} align="end">
      <Button loading={test.isPending} onClick={() => test.mutate({ body: { key } })} aria-label={`Test ${title} now`}>
        Test now
      </Button>
      <span role="status" className={styles.result} data-working={test.data?.data.isWorking === true}>
        {text}
      </span>
    </Stack>
  )
}
