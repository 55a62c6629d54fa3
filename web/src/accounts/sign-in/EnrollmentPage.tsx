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
      <h1>Protect your account</h1>
      <p className="lead">Your role needs a second factor. Set one up now; it takes a minute.</p>
      {canUsePasskeys() && (
        <button type="button" className="choice" onClick={() => onChoose('passkey')}>
          <strong>Passkey</strong>
          <span>Your fingerprint, face or screen lock, or a security key.</span>
        </button>
      )}
      <button type="button" className="choice" onClick={() => onChoose('app')}>
        <strong>Authenticator app</strong>
        <span>A 6-digit code from an app on your phone.</span>
      </button>
      <p className="aside">
        <button type="button" className="link" onClick={() => void signOut()}>
          Sign out
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
      Choose another way
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
    const name = (typeof typed === 'string' ? typed.trim() : '') || suggestedPasskeyName()
    setBusy(true)
    setProblem(undefined)
    try {
      const { data } = await call(challengePasskey, {}, { isOnce: true })
      const body = { name, passkey: await createPasskey(data) }
      onDone((await call(addPasskey, { body }, { isOnce: true })).data.recoveryCodes)
    } catch (error) {
      setBusy(false)
      if (isProofNeeded(error)) onProve()
      else setProblem(error instanceof PasskeyError ? error.message : errorMessage(error))
    }
  }

  return (
    <>
      <h1>Add a passkey</h1>
      <p className="lead">Your browser asks for your fingerprint, face, screen lock or security key.</p>
      <form noValidate aria-busy={busy} onSubmit={(event) => void add(event)}>
        {problem && (
          <p role="alert" className="notice notice-bad">
            {problem}
          </p>
        )}
        <PasskeyNameField name={suggestedPasskeyName()} />
        <button type="submit" className="primary" aria-disabled={busy}>
          {busy ? 'Waiting for your passkey…' : 'Add passkey'}
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
        else setProblem(errorMessage(error))
      },
    )
    return () => void (isGone = true)
    // The key is made once, when the step begins.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  return (
    <>
      <h1>Add an authenticator app</h1>
      {problem && (
        <p role="alert" className="notice notice-bad">
          {problem}
        </p>
      )}
      {setup && (
        <>
          <p className="lead">
            Scan this code with your app, or type in the key. Then enter the code that the app shows.
          </p>
          <img className="qr" src={setup.picture} alt="QR code with the key below" width={200} height={200} />
          <p className="key">{setup.key.replaceAll(/(.{4})(?=.)/g, '$1 ')}</p>
          <p className="aside key-link">
            <a href={setup.address}>Open in an app on this device</a>
          </p>
          <CallForm
            endpoint={addCodeApp}
            button="Confirm"
            busyButton="Checking…"
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
      <h1>Confirm that it’s you</h1>
      <p className="lead">You signed in a while ago. Enter your password again.</p>
      <CallForm endpoint={prove} button="Continue" busyButton="Checking…" onDone={onProved}>
        <PasswordField label="Password" autoComplete="current-password" />
      </CallForm>
    </>
  )
}
