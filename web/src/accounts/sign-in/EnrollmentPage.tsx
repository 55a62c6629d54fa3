import type { secondFactors } from '@roadshow/contract/accounts/second-factors'
import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import type { ReplyOf } from '@roadshow/contract/platform/endpoint'
import { useEffect, useState } from 'react'
import type { SubmitEvent } from 'react'
import { ApiError, call, errorMessage } from '../../api/call.ts'
import { canUsePasskeys, createPasskey, PasskeyError, suggestedPasskeyName } from '../../api/passkey.ts'
import { readToken } from '../../api/session.ts'
import { signOut } from '../../api/sign-out.ts'
import { addCodeApp, addPasskey, challengePasskey, prove, startCodeApp } from './calls.ts'
import { CallForm } from './CallForm.tsx'
import { CodeField, PasskeyNameField, PasswordField } from './Field.tsx'
import { nextPath } from './next-path.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { translated, words } from './words/index.ts'

type Step =
  | { is: 'choosing' }
  | { is: 'passkey' }
  | { is: 'app' }
  /** More than ten minutes have passed since the password was entered. */
  | { is: 'proving'; next: 'passkey' | 'app' }
  | { is: 'done'; codes: string[] }

const goOn = () => location.assign(nextPath(location.search))

/** Where a user whose role needs a second factor sets one up before anything else. */
export function EnrollmentPage() {
  const [step, setStep] = useState<Step>({ is: 'choosing' })
  // Without a session there is nothing to set up.
  useEffect(() => {
    if (!readToken()) location.replace(LOGIN_PATH)
  }, [])
  const onDone = (codes: string[] | null) => (codes ? setStep({ is: 'done', codes }) : goOn())
  const back = () => setStep({ is: 'choosing' })
  switch (step.is) {
    case 'choosing':
      return <Choosing onChoose={(is) => setStep({ is })} />
    case 'passkey':
      return <NewPasskey onDone={onDone} onBack={back} onProve={() => setStep({ is: 'proving', next: 'passkey' })} />
    case 'app':
      return <NewCodeApp onDone={onDone} onBack={back} onProve={() => setStep({ is: 'proving', next: 'app' })} />
    case 'proving':
      return <Proving onProved={() => setStep({ is: step.next })} />
    case 'done':
      return <RecoveryCodes codes={step.codes} onDone={goOn} />
  }
}

function Choosing({ onChoose }: { onChoose: (way: 'passkey' | 'app') => void }) {
  return (
    <>
      <h1>{words.protect}</h1>
      <p className="lead">{words.protectText}</p>
      {canUsePasskeys() && (
        <button type="button" className="choice" onClick={() => onChoose('passkey')}>
          <strong>{words.passkey}</strong>
          <span>{words.passkeyText}</span>
        </button>
      )}
      <button type="button" className="choice" onClick={() => onChoose('app')}>
        <strong>{words.codeApp}</strong>
        <span>{words.codeAppText}</span>
      </button>
      <p className="aside">
        <button type="button" className="link" onClick={() => void signOut()}>
          {words.signOut}
        </button>
      </p>
    </>
  )
}

interface WayProps {
  onDone: (codes: string[] | null) => void
  onBack: () => void
  onProve: () => void
}

const isProofNeeded = (error: unknown) => error instanceof ApiError && error.code === 'proofNeeded'

const Back = ({ onBack }: { onBack: () => void }) => (
  <p className="aside">
    <button type="button" className="link" onClick={onBack}>
      {words.otherWay}
    </button>
  </p>
)

function NewPasskey({ onDone, onBack, onProve }: WayProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  async function add(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const typed = new FormData(event.currentTarget).get('name')
    const name = (typeof typed === 'string' ? typed.trim() : '') || words.passkeyNameHere(suggestedPasskeyName())
    setBusy(true)
    setProblem(undefined)
    try {
      const { data } = await call(challengePasskey, {}, { isOnce: true })
      const body = { name, passkey: await createPasskey(data) }
      onDone((await call(addPasskey, { body }, { isOnce: true })).data.recoveryCodes)
    } catch (error) {
      setBusy(false)
      if (isProofNeeded(error)) onProve()
      else setProblem(translated(error instanceof PasskeyError ? error.message : errorMessage(error)))
    }
  }

  return (
    <>
      <h1>{words.addPasskeyTitle}</h1>
      <p className="lead">{words.addPasskeyText}</p>
      <form noValidate aria-busy={busy} onSubmit={(event) => void add(event)}>
        {problem && (
          <p role="alert" className="notice notice-bad">
            {problem}
          </p>
        )}
        <PasskeyNameField name={words.passkeyNameHere(suggestedPasskeyName())} />
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? words.waitingForPasskey : words.addPasskey}
        </button>
      </form>
      <Back onBack={onBack} />
    </>
  )
}

type Setup = ReplyOf<typeof secondFactors.startCodeApp>['data']

function NewCodeApp({ onDone, onBack, onProve }: WayProps) {
  const [setup, setSetup] = useState<Setup>()
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let isGone = false
    call(startCodeApp, {}, { isOnce: true }).then(
      ({ data }) => !isGone && setSetup(data),
      (error: unknown) => {
        if (isGone) return
        if (isProofNeeded(error)) onProve()
        else setProblem(translated(errorMessage(error)))
      },
    )
    return () => void (isGone = true)
    // The key is made once, when the step begins.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  return (
    <>
      <h1>{words.addCodeApp}</h1>
      {problem && (
        <p role="alert" className="notice notice-bad">
          {problem}
        </p>
      )}
      {setup && (
        <>
          <p className="lead">{words.scanText}</p>
          <img className="qr" src={setup.picture} alt={words.qrCode} width={200} height={200} />
          <p className="key">{setup.key.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
          <p className="aside key-link">
            <a href={setup.address}>{words.openInApp}</a>
          </p>
          <CallForm
            endpoint={addCodeApp}
            button={words.confirm}
            busyButton={words.checking}
            onDone={({ data }) => onDone(data.recoveryCodes)}
            onRefused={(error) => {
              if (isProofNeeded(error)) onProve()
              return isProofNeeded(error)
            }}
          >
            <CodeField hint="" />
          </CallForm>
        </>
      )}
      <Back onBack={onBack} />
    </>
  )
}

function Proving({ onProved }: { onProved: () => void }) {
  return (
    <>
      <h1>{words.confirmYou}</h1>
      <p className="lead">{words.confirmYouText}</p>
      <CallForm endpoint={prove} button={words.continue} busyButton={words.checking} onDone={onProved}>
        <PasswordField label={words.password} autoComplete="current-password" />
      </CallForm>
    </>
  )
}
