import { formatMoment, localZone } from '@roadshow/contract/platform/dates'
import type { FactorList } from '@roadshow/contract/accounts/second-factors'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { factorCalls } from '../../../api/factor-calls.ts'
import { hasFactor } from '../../../api/factor-rules.ts'
import { canUsePasskeys } from '../../../api/passkey.ts'
import { Soft, Stack } from '../../../ui/layout.tsx'
import { useLanguage, useWords } from '../../context.ts'
import type { Words } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { useNoUpdates } from '../../updates.ts'
import { MeFrame } from '../MeFrame.tsx'
import { useLoaded } from '../useLoaded.ts'
import { CodeAppSetupPart } from './CodeAppSetupPart.tsx'
import { ProofDialog } from './ProofDialog.tsx'
import { RecoveryCodesPart } from './RecoveryCodesPart.tsx'
import { useSecondStep } from './useSecondStep.ts'
import type { SecondStepChanges } from './useSecondStep.ts'
import styles from '../me.module.css'

/** How many recovery codes the server makes at a time. */
const RECOVERY_CODES = 10

/** What is asked for after the password: an authenticator app, passkeys, and recovery codes for the day they are lost. */
export default function SecondStepPage() {
  const words = useWords()
  const loaded = useLoaded(async () => (await call(factorCalls.list, {}, { staysOnPage: true })).data, 'factors')
  const changes = useSecondStep(loaded.reload)
  const { step } = changes
  // Codes are shown once, and a setup goes on after a look into another app.
  useNoUpdates(step !== undefined)
  return (
    <MeFrame title={words.secondStep} up="/me/access" loaded={loaded}>
      {(factors) => {
        if (step?.is === 'codeApp') return <CodeAppSetupPart setup={step.setup} changes={changes} />
        if (step?.is === 'codes') return <RecoveryCodesPart codes={step.codes} onKept={changes.close} />
        return <FactorsPart factors={factors} changes={changes} />
      }}
    </MeFrame>
  )
}

const doneText = (words: Words, said: NonNullable<SecondStepChanges['said']>): string =>
  ({
    codeAppAdded: words.codeAppAdded,
    codeAppRemoved: words.codeAppRemoved,
    passkeyAdded: words.passkeyAdded,
    passkeyRemoved: words.passkeyRemoved,
  })[said]

interface Parts {
  factors: FactorList
  changes: SecondStepChanges
}

function FactorsPart({ factors, changes }: Parts) {
  const words = useWords()
  const { said, problem, isBusy, open, startCodeApp } = changes
  const isOn = hasFactor(factors)
  return (
    <>
      <p>{isOn ? words.secondStepOn : words.secondStepWhy}</p>
      {!isOn && factors.isNeeded && <p>{words.secondStepNeeded}</p>}
      {isOn && <FactorCards factors={factors} changes={changes} />}
      <p role="status">{said && doneText(words, said)}</p>
      {problem && (
        <p role="alert" className={styles.problem}>
          {words[problem] as string}
        </p>
      )}
      <Button look={isOn ? 'plain' : 'primary'} disabled={isBusy} onClick={() => void startCodeApp()}>
        {factors.codeApp ? words.codeAppReplace : words.codeAppAdd}
      </Button>
      {canUsePasskeys() && (
        <Button disabled={isBusy} onClick={() => open({ is: 'naming' })}>
          {words.passkeyAdd}
        </Button>
      )}
      {isOn && (
        <Button disabled={isBusy} onClick={() => open({ is: 'newCodes' })}>
          {words.recoveryCodesNew}
        </Button>
      )}
      <OpenDialog factors={factors} changes={changes} />
    </>
  )
}

function FactorCards({ factors, changes }: Parts) {
  const words = useWords()
  const { passkeys, codeApp, recoveryCodesLeft } = factors
  const { open, removeCodeApp, removePasskey } = changes
  return (
    <>
      {codeApp && (
        <FactorCard
          name={words.codeApp}
          times={codeApp}
          onRemove={() => open({ is: 'removal', name: words.codeApp, remove: removeCodeApp })}
        />
      )}
      {passkeys.map((passkey) => (
        <FactorCard
          key={passkey.uid}
          name={passkey.name}
          kind={words.passkey}
          times={passkey}
          onRemove={() => open({ is: 'removal', name: passkey.name, remove: () => removePasskey(passkey.uid) })}
        />
      ))}
      <section className={styles.card}>
        <h2>{words.recoveryCodes}</h2>
        <Soft as="p">{words.recoveryCodesLeft(recoveryCodesLeft, RECOVERY_CODES)}</Soft>
      </section>
    </>
  )
}

interface FactorCardParts {
  name: string
  kind?: string
  times: { addedAt: string; usedAt: string | null }
  onRemove: () => void
}

function FactorCard({ name, kind, times: { addedAt, usedAt }, onRemove }: FactorCardParts) {
  const words = useWords()
  const language = useLanguage()
  const moment = (at: string) => formatMoment(at, localZone(), language)
  return (
    <section className={styles.card}>
      <h2>{name}</h2>
      {kind && <Soft as="p">{kind}</Soft>}
      <Soft as="p">{words.factorSince(moment(addedAt))}</Soft>
      {usedAt && <Soft as="p">{words.factorUsed(moment(usedAt))}</Soft>}
      <Button onClick={onRemove}>{words.turnOff}</Button>
    </section>
  )
}

function OpenDialog({ factors, changes }: Parts) {
  const words = useWords()
  const { step, close } = changes
  switch (step?.is) {
    case 'naming':
      return <PasskeyDialog changes={changes} />
    case 'newCodes':
      return (
        <Dialog title={words.recoveryCodesNewTitle} onClose={close}>
          <p>{words.recoveryCodesNewText}</p>
          <Button look="primary" onClick={() => void changes.makeCodes()}>
            {words.recoveryCodesNew}
          </Button>
          <Button onClick={close}>{words.cancel}</Button>
        </Dialog>
      )
    case 'removal':
      return (
        <Dialog title={words.factorRemoveTitle(step.name)} onClose={close}>
          <p>{words.factorRemoveText}</p>
          <Button
            look="bad"
            onClick={() => {
              close()
              void step.remove()
            }}
          >
            {words.turnOff}
          </Button>
          <Button onClick={close}>{words.cancel}</Button>
        </Dialog>
      )
    case 'proof':
      return <ProofDialog factors={factors} changes={changes} />
    // These take the place of the list.
    case 'codeApp':
    case 'codes':
    case undefined:
      return null
  }
}

function PasskeyDialog({ changes }: { changes: SecondStepChanges }) {
  const words = useWords()
  const [name, setName] = useState(words.passkeyNameHere)
  const { isBusy, problem, close, addPasskey } = changes
  return (
    <Dialog title={words.passkeyAdd} onClose={close}>
      <p>{words.passkeyText}</p>
      <Stack
        as="form"
        gap={3}
        onSubmit={(event) => {
          event.preventDefault()
          void addPasskey(name.trim())
        }}
      >
        <TextField label={words.passkeyName} value={name} onValue={setName} maxLength={60} required />
        {problem && (
          <p role="alert" className={styles.problem}>
            {words[problem] as string}
          </p>
        )}
        <Button type="submit" look="primary" disabled={isBusy || name.trim() === ''}>
          {words.continue}
        </Button>
      </Stack>
      <Button onClick={close}>{words.cancel}</Button>
    </Dialog>
  )
}
