import type { PendingConfirmation } from '@roadshow/contract/accounts/single-sign-on'
import type { ErrorBody } from '@roadshow/contract/platform/errors'
import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { signOutReason } from '../../api/session.ts'
import { ConfirmAccount } from './ConfirmAccount.tsx'
import { enter } from './enter.ts'
import { LoginPage } from './LoginPage.tsx'
import { SecondStep } from './SecondStep.tsx'
import type { SignOnArrival } from './sign-on-address.ts'
import { SignOnAnswer, SignOnMailLink } from './SignOnAnswer.tsx'
import { SignOnButton } from './SignOnButton.tsx'
import { isPasswordSignInOff, providerName } from './ways-in.ts'
import { translated, words } from './words/index.ts'

type SecondFactor = NonNullable<ErrorBody['secondFactor']>

type Step =
  | { is: 'choosing'; problem?: string }
  | { is: 'arriving'; arrival: SignOnArrival }
  | { is: 'confirming'; pending: PendingConfirmation; mailToken?: string }
  | { is: 'secondStep'; secondFactor: SecondFactor }

/** The ways in: a password, the company's identity provider, or both. */
function Ways({ problem }: { problem?: string | undefined }) {
  const [refusal, setRefusal] = useState(problem)
  const name = providerName()
  const isOnlyWay = isPasswordSignInOff()
  const reason = signOutReason()
  return (
    <>
      {isOnlyWay && <h1>{words.signIn}</h1>}
      {isOnlyWay && reason && !refusal && (
        <p role="status" className="notice">
          {translated(reason)}
        </p>
      )}
      {isOnlyWay && refusal && (
        <p role="alert" className="notice notice-bad">
          {translated(refusal)}
        </p>
      )}
      {isOnlyWay ? (
        name && <SignOnButton name={name} isOnlyWay onRefused={setRefusal} />
      ) : (
        <LoginPage problem={refusal}>
          {name && <p className="or">{words.or}</p>}
          {name && <SignOnButton name={name} isOnlyWay={false} onRefused={setRefusal} />}
        </LoginPage>
      )}
    </>
  )
}

/** The login page, and what follows when the identity provider or a mailed link leads back to it. */
export function SignInPage({ arrival }: { arrival?: SignOnArrival | undefined }) {
  const [step, setStep] = useState<Step>(arrival ? { is: 'arriving', arrival } : { is: 'choosing' })
  const startAgain = (problem?: string) => setStep({ is: 'choosing', ...(problem && { problem }) })
  const askSecondFactor = (secondFactor: SecondFactor) => {
    // The address keeps the page that was asked for, as it does after a password.
    history.replaceState(null, '', `${LOGIN_PATH}?next=${encodeURIComponent(secondFactor.next ?? '/')}`)
    setStep({ is: 'secondStep', secondFactor })
  }
  const onRefused = (error: unknown) => {
    if (error instanceof ApiError && error.secondFactor) askSecondFactor(error.secondFactor)
    else startAgain(errorMessage(error))
  }
  if (step.is === 'choosing') return <Ways problem={step.problem} />
  if (step.is === 'secondStep')
    return <SecondStep step={step.secondFactor} onSignedIn={enter} onStartOver={startAgain} />
  if (step.is === 'confirming') return <ConfirmAccount {...step} onOver={startAgain} onSecondFactor={askSecondFactor} />
  const onPending = (pending: PendingConfirmation, mailToken?: string) =>
    setStep({ is: 'confirming', pending, ...(mailToken !== undefined && { mailToken }) })
  return step.arrival.is === 'callback' ? (
    <SignOnAnswer query={step.arrival.query} onPending={onPending} onRefused={onRefused} />
  ) : (
    <SignOnMailLink mailToken={step.arrival.mailToken} onPending={onPending} onRefused={onRefused} />
  )
}
