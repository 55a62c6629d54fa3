import { RECOVERY_CODES, secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { FactorList } from '@roadshow/contract/accounts/second-factors'
import { Button } from 'antd'
import { useState } from 'react'
import { canUsePasskeys } from '../../api/passkey.ts'
import { useCall } from '../../api/useCall.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatDateTime } from '../../ui/time.ts'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { CodeAppDialog } from './CodeAppDialog.tsx'
import { ProofDialog } from './ProofDialog.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import { useFactorChanges } from './useFactorChanges.ts'
import styles from './SecondFactors.module.css'

type Changes = ReturnType<typeof useFactorChanges>

/** The user's own passkeys, authenticator app and recovery codes. */
export function SecondFactors() {
  const found = useCall(secondFactors.list, {}, { refetchOnMount: 'always' })
  const changes = useFactorChanges()
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines rows={3} />
  return (
    <section className={styles.section} aria-label="Second factor">
      <h2>Second factor</h2>
      <FactorRows factors={found.data} changes={changes} />
      <FactorButtons factors={found.data} changes={changes} />
      <OpenDialog factors={found.data} changes={changes} />
    </section>
  )
}

interface PartProps {
  factors: FactorList
  changes: Changes
}

const hasFactor = ({ passkeys, codeApp }: FactorList) => codeApp !== null || passkeys.length > 0

const datesOf = ({ addedAt, usedAt }: { addedAt: string; usedAt: string | null }) =>
  [`Added ${formatDateTime(addedAt)}`, ...(usedAt ? [`last used ${formatDateTime(usedAt)}`] : [])].join(', ')

const REMOVED = 'You can no longer sign in with it.'

function FactorRows({ factors, changes }: PartProps) {
  const [removal, setRemoval] = useState<{ name: string; remove: () => Promise<void> }>()
  const { passkeys, codeApp, recoveryCodesLeft, isNeeded } = factors
  if (!hasFactor(factors)) {
    return (
      <p>
        {isNeeded && 'Your role needs a second factor. '}
        Add a passkey or an authenticator app, so that a stolen password is not enough to sign in as you.
      </p>
    )
  }
  const ask = (name: string, remove: () => Promise<void>) => () => setRemoval({ name, remove })
  return (
    <>
      <ul>
        {passkeys.map((passkey) => (
          <FactorRow
            key={passkey.uid}
            name={passkey.name}
            kind={passkey.isSynced ? 'Passkey, synced' : 'Passkey'}
            hint={datesOf(passkey)}
            onRemove={ask(passkey.name, () => changes.removePasskey(passkey.uid))}
          />
        ))}
        {codeApp && (
          <FactorRow
            name="Authenticator app"
            kind=""
            hint={datesOf(codeApp)}
            onRemove={ask('Authenticator app', changes.removeCodeApp)}
          />
        )}
        <FactorRow name="Recovery codes" kind="" hint={`${recoveryCodesLeft} of ${RECOVERY_CODES} left`} />
      </ul>
      <Confirm
        open={removal !== undefined}
        question={`Remove ${removal?.name ?? ''}?`}
        text={REMOVED}
        act="Remove"
        onAct={() => {
          setRemoval(undefined)
          void removal?.remove()
        }}
        onCancel={() => setRemoval(undefined)}
      />
    </>
  )
}

interface FactorRowProps {
  name: string
  kind: string
  hint: string
  onRemove?: () => void
}

const FactorRow = ({ name, kind, hint, onRemove }: FactorRowProps) => (
  <li>
    <div>
      <p>
        <strong>{name}</strong> {kind}
      </p>
      <Soft as="p" className="figures">
        {hint}
      </Soft>
    </div>
    {onRemove && (
      <Button onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    )}
  </li>
)

const FactorButtons = ({ factors, changes }: PartProps) => (
  <Row gap={2} wrap>
    {canUsePasskeys() && <Button onClick={changes.askName}>Add a passkey</Button>}
    <Button onClick={() => void changes.startCodeApp()}>
      {factors.codeApp ? 'Replace the authenticator app' : 'Add an authenticator app'}
    </Button>
    {hasFactor(factors) && <Button onClick={() => void changes.makeCodes()}>Create new recovery codes</Button>}
  </Row>
)

function OpenDialog({ factors, changes }: PartProps) {
  const { dialog, busy, close } = changes
  switch (dialog?.is) {
    case 'naming':
      return <AddPasskeyDialog busy={busy} onAdd={(name) => void changes.addPasskey(name)} onCancel={close} />
    case 'codeApp':
      return <CodeAppDialog setup={dialog.setup} onAdded={changes.addedCodeApp} onCancel={close} />
    case 'codes':
      return <RecoveryCodesDialog codes={dialog.codes} onClose={close} />
    case 'proof':
      return <ProofDialog factors={factors} onProved={() => changes.proved(dialog.retry)} onCancel={close} />
    case undefined:
      return null
  }
}
