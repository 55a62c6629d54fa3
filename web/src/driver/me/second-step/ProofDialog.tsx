import type { FactorList } from '@roadshow/contract/accounts/second-factors'
import type { secondFactors } from '@roadshow/contract/accounts/second-factors'
import type { InputOf } from '@roadshow/contract/platform/endpoint'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { askPasskey, canUsePasskeys } from '../../../api/passkey.ts'
import { Stack } from '../../../ui/layout.tsx'
import { useWords } from '../../context.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import type { Words } from '../../words/index.ts'
import { meCalls } from '../calls.ts'
import { problemWord, proofField } from './problem-rules.ts'
import type { ProofField } from './problem-rules.ts'
import { stays } from './useSecondStep.ts'
import styles from '../me.module.css'

type Proof = InputOf<typeof secondFactors.prove>['body']

const labels = {
  password: 'password',
  code: 'oneTimeCode',
  recoveryCode: 'proofRecoveryCode',
} as const satisfies Record<ProofField, keyof Words>

const withPasskey = async (): Promise<Proof> => ({
  passkey: await askPasskey((await call(meCalls.challengeProof, {}, stays)).data),
})

interface ProofParts {
  factors: FactorList
  onProved: () => void
  onClose: () => void
}

/** Sends a proof, and says how it went. */
function useProving(onProved: () => void) {
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<keyof Words>()
  const prove = async (way: ProofField | 'passkey', give: () => Promise<Proof>) => {
    setIsBusy(true)
    setProblem(undefined)
    try {
      await call(meCalls.prove, { body: await give() }, stays)
      onProved()
    } catch (error) {
      setProblem(problemWord(error, way))
      setIsBusy(false)
    }
  }
  return { isBusy, problem, setProblem, prove }
}

/** Asks drivers to prove who they are before they change how they sign in. */
export function ProofDialog({ factors, onProved, onClose }: ProofParts) {
  const words = useWords()
  const [isRecovering, setIsRecovering] = useState(false)
  const { isBusy, problem, setProblem, prove } = useProving(onProved)
  const field = proofField(factors, isRecovering)
  const toggle = () => {
    setProblem(undefined)
    setIsRecovering(!isRecovering)
  }
  return (
    <Dialog title={words.proofTitle} onClose={onClose}>
      <p>{words.proofText}</p>
      {factors.passkeys.length > 0 && canUsePasskeys() && !isRecovering && (
        <Button look="primary" disabled={isBusy} onClick={() => void prove('passkey', withPasskey)}>
          {words.proofPasskey}
        </Button>
      )}
      {field && (
        <ProofForm
          key={field}
          field={field}
          isBusy={isBusy}
          onGive={(given) => void prove(field, async () => ({ [field]: given }))}
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
      <Button onClick={onClose}>{words.cancel}</Button>
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
