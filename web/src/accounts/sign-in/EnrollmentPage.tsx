import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { useEffect } from 'react'
import type { SubmitEvent } from 'react'
import { errorMessage } from '../../api/call.ts'
import { factorCalls } from '../../api/factor-calls.ts'
import { keyInGroups } from '../../api/factor-rules.ts'
import { canUsePasskeys, suggestedPasskeyName } from '../../api/passkey.ts'
import { readToken } from '../../api/session.ts'
import { signOut } from '../../api/sign-out.ts'
import { useSecondFactors } from '../../api/useSecondFactors.ts'
import type { CodeAppSetup, FactorProof, SecondFactorChanges } from '../../api/useSecondFactors.ts'
import { CallForm } from './CallForm.tsx'
import { CodeField, PasskeyNameField, PasswordField } from './Field.tsx'
import { nextPath } from './next-path.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { translated, words } from './words/index.ts'

const goOn = () => location.assign(nextPath(location.search))

/** Where a user whose role needs a second factor sets one up before anything else. */
export function EnrollmentPage() {
  // Codes come with the first factor; after a later one the way leads on at once.
  const changes = useSecondFactors({ onDone: (_, codes) => codes ?? goOn() })
  const { step } = changes
  // Without a session there is nothing to set up.
  useEffect(() => {
    if (!readToken()) location.replace(LOGIN_PATH)
  }, [])
  if (step?.is === 'naming') return <NewPasskey changes={changes} />
  if (step?.is === 'codeApp') return <NewCodeApp setup={step.setup} changes={changes} />
  // More than ten minutes have passed since the password was entered.
  if (step?.is === 'proof') return <Proving onGive={changes.prove} />
  if (step?.is === 'codes') return <RecoveryCodes codes={step.codes} onDone={goOn} />
  return <Choosing changes={changes} />
}

interface PartProps {
  changes: SecondFactorChanges
}

/** What went wrong, in the browser or on the server. */
const Problem = ({ problem }: { problem: unknown }) =>
  problem !== undefined && (
    <p role="alert" className="notice notice-bad">
      {translated(errorMessage(problem))}
    </p>
  )

function Choosing({ changes: { problem, open, startCodeApp } }: PartProps) {
  return (
    <>
      <h1>{words.protect}</h1>
      <p className="lead">{words.protectText}</p>
      <Problem problem={problem} />
      {canUsePasskeys() && (
        <button type="button" className="choice" onClick={() => open({ is: 'naming' })}>
          <strong>{words.passkey}</strong>
          <span>{words.passkeyText}</span>
        </button>
      )}
      <button type="button" className="choice" onClick={() => void startCodeApp()}>
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

const Back = ({ changes }: PartProps) => (
  <p className="aside">
    <button type="button" className="link" onClick={() => changes.open(undefined)}>
      {words.otherWay}
    </button>
  </p>
)

function NewPasskey({ changes }: PartProps) {
  const { isBusy, problem, addPasskey } = changes
  const add = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const typed = new FormData(event.currentTarget).get('name')
    void addPasskey((typeof typed === 'string' ? typed.trim() : '') || words.passkeyNameHere(suggestedPasskeyName()))
  }
  return (
    <>
      <h1>{words.addPasskeyTitle}</h1>
      <p className="lead">{words.addPasskeyText}</p>
      <form noValidate aria-busy={isBusy} onSubmit={add}>
        <Problem problem={problem} />
        <PasskeyNameField name={words.passkeyNameHere(suggestedPasskeyName())} />
        <button type="submit" className="primary" aria-disabled={isBusy}>
          {isBusy ? words.waitingForPasskey : words.addPasskey}
        </button>
      </form>
      <Back changes={changes} />
    </>
  )
}

const NewCodeApp = ({ setup, changes }: PartProps & { setup: CodeAppSetup }) => (
  <>
    <h1>{words.addCodeApp}</h1>
    <p className="lead">{words.scanText}</p>
    <img className="qr" src={setup.picture} alt={words.qrCode} width={200} height={200} />
    <p className="key">{keyInGroups(setup.key)}</p>
    <p className="aside key-link">
      <a href={setup.address}>{words.openInApp}</a>
    </p>
    <CallForm
      endpoint={factorCalls.addCodeApp}
      send={({ code }) => changes.addCodeApp(code)}
      button={words.confirm}
      busyButton={words.checking}
    >
      <CodeField hint="" />
    </CallForm>
    <Back changes={changes} />
  </>
)

const Proving = ({ onGive }: { onGive: (proof: FactorProof) => Promise<void> }) => (
  <>
    <h1>{words.confirmYou}</h1>
    <p className="lead">{words.confirmYouText}</p>
    <CallForm endpoint={factorCalls.prove} send={onGive} button={words.continue} busyButton={words.checking}>
      <PasswordField label={words.password} autoComplete="current-password" />
    </CallForm>
  </>
)
