import { RECOVERY_CODES, secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { FactorList } from '@roadshow/contract/accounts/second-factors'
import { Button } from 'antd'
import { errorMessage } from '../../api/call.ts'
import { hasFactor } from '../../api/factor-rules.ts'
import { canUsePasskeys } from '../../api/passkey.ts'
import { useCall } from '../../api/useCall.ts'
import { useRefreshAfter } from '../../api/useSave.ts'
import { useSecondFactors } from '../../api/useSecondFactors.ts'
import type { SecondFactorChanges } from '../../api/useSecondFactors.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Row, Soft } from '../../ui/layout.tsx'
import { useNotice } from '../../ui/notices.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatDateTime, localZone } from '@roadshow/contract/platform/dates'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { CodeAppDialog } from './CodeAppDialog.tsx'
import { ProofDialog } from './ProofDialog.tsx'
import { RecoveryCodesDialog } from './RecoveryCodesDialog.tsx'
import styles from './SecondFactors.module.css'

const DONE = {
  passkeyAdded: 'Passkey added.',
  passkeyRemoved: 'Passkey removed.',
  codeAppAdded: 'Authenticator app added.',
  codeAppRemoved: 'Authenticator app removed.',
} as const

/** The user's own passkeys, authenticator app and recovery codes. */
export function SecondFactors() {
  const found = useCall(secondFactors.list, {}, { refetchOnMount: 'always' })
  const notice = useNotice()
  const refresh = useRefreshAfter(secondFactors.list)
  const changes = useSecondFactors({
    onChanged: () => refresh(),
    onDone: (change) => notice(DONE[change]),
    onProblem: (problem) => notice(errorMessage(problem), 'bad'),
  })
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
  changes: SecondFactorChanges
}

const datesOf = ({ addedAt, usedAt }: { addedAt: string; usedAt: string | null }) =>
  [
    `Added ${formatDateTime(addedAt, localZone())}`,
    ...(usedAt ? [`last used ${formatDateTime(usedAt, localZone())}`] : []),
  ].join(', ')

const REMOVED = 'You can no longer sign in with it.'

function FactorRows({ factors, changes }: PartProps) {
  const { passkeys, codeApp, recoveryCodesLeft, isNeeded } = factors
  if (!hasFactor(factors)) {
    return (
      <p>
        {isNeeded && 'Your role needs a second factor. '}
        Add a passkey or an authenticator app, so that a stolen password is not enough to sign in as you.
      </p>
    )
  }
  const { step, open, close } = changes
  const removal = step?.is === 'removal' ? step : undefined
  const ask = (name: string, remove: () => Promise<void>) => () => open({ is: 'removal', name, remove })
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
          close()
          void removal?.remove()
        }}
        onCancel={close}
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
    {canUsePasskeys() && <Button onClick={() => changes.open({ is: 'naming' })}>Add a passkey</Button>}
    <Button onClick={() => void changes.startCodeApp()}>
      {factors.codeApp ? 'Replace the authenticator app' : 'Add an authenticator app'}
    </Button>
    {hasFactor(factors) && <Button onClick={() => void changes.makeCodes()}>Create new recovery codes</Button>}
  </Row>
)

function OpenDialog({ factors, changes }: PartProps) {
  const { step, close } = changes
  switch (step?.is) {
    case 'naming':
      return <AddPasskeyDialog onAdd={changes.addPasskey} onCancel={close} />
    case 'codeApp':
      return <CodeAppDialog setup={step.setup} onConfirm={changes.addCodeApp} onCancel={close} />
    case 'codes':
      return <RecoveryCodesDialog codes={step.codes} onClose={close} />
    case 'proof':
      return <ProofDialog factors={factors} changes={changes} />
    case 'newCodes':
    // The list asks before it removes.
    case 'removal':
    case undefined:
      return null
  }
}
