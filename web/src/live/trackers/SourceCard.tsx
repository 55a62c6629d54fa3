import {
  positionSourceKindLabel,
  positionSourceStateLabel,
  sendingSourceKinds,
  sources,
} from '@roadshow/contract/live/position-sources'
import type { PositionSource, PositionSourceState } from '@roadshow/contract/live/position-sources'
import { countOf } from '@roadshow/contract/platform/figures'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { Alert, Button, Input, Modal } from 'antd'
import { useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useSave } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Row, Soft, Stack } from '../../ui/layout.tsx'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import type { ShownKey } from './NewSourceKey.tsx'
import styles from './trackers.module.css'

const stateTone: Record<PositionSourceState, Tone> = { active: 'driving', revoked: 'bad', off: 'silent' }

const when = (at: string) => formatDateTime(at, localZone())

/** What a source has sent, and from where. */
function useText({ lastSeenAt, lastAddress, lastFixAt, trucks, isBuiltIn }: PositionSource): string {
  const seen = lastSeenAt && `last seen ${when(lastSeenAt)}${lastAddress ? ` from ${lastAddress}` : ''}`
  const told = isBuiltIn ? '' : 'never used'
  return [countOf(trucks, 'truck'), seen ?? told, lastFixAt && `newest position ${when(lastFixAt)}`]
    .filter(Boolean)
    .join(', ')
}

const questions = {
  renew: ['New key', 'Make a new key for', 'The present key stops working at once. The new one is shown once.'],
  revoke: [
    'Revoke',
    'Revoke the key of',
    'It stops working at once, on every server. Positions and ids of trucks stay.',
  ],
} as const

interface SourceCardProps {
  source: PositionSource
  onNewKey: (shown: ShownKey) => void
}

/** One source: its state, what it sent last, and what can be done about it. */
export function SourceCard({ source, onNewKey }: SourceCardProps) {
  const { uid, name, kind, state, keyStart, lastError, lastErrorAt } = source
  const mayChange = useMay(sources.rename) && !source.isBuiltIn
  const hasKeys = (sendingSourceKinds as readonly string[]).includes(kind)
  const [asking, setAsking] = useState<keyof typeof questions>()
  const [newName, setNewName] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const renew = useSave(sources.renewKey)
  const revoke = useSave(sources.revoke)
  const rename = useSave(sources.rename)

  const act = async (work: () => Promise<unknown>) => {
    setProblem(undefined)
    try {
      await work()
      setNewName(undefined)
    } catch (error) {
      setProblem(errorMessage(error))
    }
    setAsking(undefined)
  }
  const acts = {
    renew: async () => onNewKey((await renew.mutateAsync({ params: { uid } })).data),
    revoke: () => revoke.mutateAsync({ params: { uid } }),
  }
  const text = useText(source)

  return (
    <Stack as="section" gap={1} aria-label={name}>
      <Row gap={3} lineGap={1} align="baseline" wrap>
        <strong>{name}</strong>
        <StateTag tone={stateTone[state]}>{positionSourceStateLabel[state]}</StateTag>
        <Soft small className="figures">
          {[positionSourceKindLabel[kind] === name ? '' : positionSourceKindLabel[kind], keyStart && `key ${keyStart}…`]
            .filter(Boolean)
            .join(', ')}
        </Soft>
      </Row>
      <Soft as="p" small className="figures">
        {text}
      </Soft>
      {lastError && lastErrorAt && (
        <Alert type="warning" title={lastError} description={`Last at ${when(lastErrorAt)}`} />
      )}
      {problem && <Alert type="error" role="alert" title={problem} />}
      {mayChange && (
        <Row gap={2} wrap>
          <Button onClick={() => setNewName(name)}>Rename</Button>
          {hasKeys && <Button onClick={() => setAsking('renew')}>New key</Button>}
          {hasKeys && state === 'active' && <Button onClick={() => setAsking('revoke')}>Revoke</Button>}
        </Row>
      )}
      <Modal
        open={newName !== undefined}
        title={`Rename ${name}`}
        okText="Rename"
        okButtonProps={{ disabled: newName?.trim() === '' }}
        confirmLoading={rename.isPending}
        onOk={() => void act(() => rename.mutateAsync({ params: { uid }, body: { name: newName ?? name } }))}
        onCancel={() => setNewName(undefined)}
        destroyOnHidden
      >
        <Input
          aria-label="New name"
          className={styles.id ?? ''}
          value={newName ?? ''}
          maxLength={80}
          onChange={({ target }) => setNewName(target.value)}
        />
        {problem && newName !== undefined && <Alert type="error" role="alert" title={problem} />}
      </Modal>
      {asking && (
        <Confirm
          open
          question={`${questions[asking][1]} ${name}?`}
          text={questions[asking][2]}
          act={questions[asking][0]}
          busy={renew.isPending || revoke.isPending}
          onAct={() => void act(acts[asking])}
          onCancel={() => setAsking(undefined)}
        />
      )}
    </Stack>
  )
}
