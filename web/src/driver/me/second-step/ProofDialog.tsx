import type { FactorList } from '@roadshow/contract/accounts/second-factors'
import { useState } from 'react'
import { proofField } from '../../../api/factor-rules.ts'
import type { ProofField } from '../../../api/factor-rules.ts'
import { canUsePasskeys } from '../../../api/passkey.ts'
import { Stack } from '../../../ui/layout.tsx'
import { useWords } from '../../context.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import type { Words } from '../../words/index.ts'
import { problemWord } from './problem-rules.ts'
import type { SecondStepChanges } from './useSecondStep.ts'
import styles from '../me.module.css'

const labels = {
  password: 'password',
  code: 'oneTimeCode',
  recoveryCode: 'proofRecoveryCode',
} as const satisfies Record<ProofField, keyof Words>

interface ProofParts {
  factors: FactorList
  changes: Pick<SecondStepChanges, 'prove' | 'proveByPasskey' | 'close'>
}

/** Sends a proof, and says how it went. */
function useProving() {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<keyof Words>()
  const give = async (way: ProofField | 'passkey', proof: Promise<void>) => {
    setIsBusy(true)
    setProblem(undefined)
    await proof.catch((cause: unknown) => setProblem(problemWord(cause, way)))
    setIsBusy(false)
  }
  return { isBusy, problem, setProblem, give }
}

/** Asks drivers to prove who they are before they change how they sign in. */
export function ProofDialog({ factors, changes: { prove, proveByPasskey, close } }: ProofParts) {
  const words = useWords()
  const [isRecovering, setIsRecovering] = useState(false)
  const { isBusy, problem, setProblem, give } = useProving()
  const field = proofField(factors, isRecovering)
  const toggle = () => {
    setProblem(undefined)
    setIsRecovering(!isRecovering)
  }
  return (
    <Dialog title={words.proofTitle} onClose={close}>
      <p>{words.proofText}</p>
      {factors.passkeys.length > 0 && canUsePasskeys() && !isRecovering && (
        <Button look="primary" disabled={isBusy} onClick={() => void give('passkey', proveByPasskey())}>
          {words.proofPasskey}
        </Button>
      )}
      {field && (
        <ProofForm
          key={field}
          field={field}
          isBusy={isBusy}
          onGive={(given) => void give(field, prove({ [field]: given }))}
        />
      )}
      {problem && (
        <p role="alert" className={styles.problem}>
          {words[problem] as string}
        </p>
      )}
      {field === 'password' && !factors.hasPassword && <p>{words.proofNoPassword}</p>}
      {factors.recoveryCodesLeft > 0 && (
        <Button look="quiet" onClick={toggle}>
          {isRecovering ? words.proofFactor : words.proofRecovery}
        </Button>
      )}
      <Button onClick={close}>{words.cancel}</Button>
    </Dialog>
  )
}

interface ProofFormParts {
  field: ProofField
  isBusy: boolean
  onGive: (given: string) => void
}

function ProofForm({ field, isBusy, onGive }: ProofFormParts) {
  const words = useWords()
  const [given, setGiven] = useState('')
  return (
    <Stack
      as="form"
      gap={3}
      onSubmit={(event) => {
        event.preventDefault()
        onGive(field === 'password' ? given : given.trim())
      }}
    >
      <TextField
        label={words[labels[field]]}
        value={given}
        onValue={setGiven}
        type={field === 'password' ? 'password' : 'text'}
        inputMode={field === 'code' ? 'numeric' : 'text'}
        autoComplete={field === 'password' ? 'current-password' : 'one-time-code'}
        autoCapitalize="off"
        maxLength={field === 'password' ? 200 : 40}
        required
      />
      <Button type="submit" look="primary" disabled={isBusy || given.trim() === ''}>
        {words.continue}
      </Button>
    </Stack>
  )
}
