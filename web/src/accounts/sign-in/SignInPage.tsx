import type { PendingConfirmation } from '@roadshow/contract/accounts/single-sign-on'
import { useState } from 'react'
import { ConfirmAccount } from './ConfirmAccount.tsx'
import { LoginPage } from './LoginPage.tsx'
import type { SignOnArrival } from './sign-on-address.ts'
import { SignOnAnswer, SignOnMailLink } from './SignOnAnswer.tsx'
import { SignOnButton } from './SignOnButton.tsx'
import { isPasswordSignInOff, providerName } from './ways-in.ts'

type Step =
  | { is: 'choosing'; problem?: string }
  | { is: 'arriving'; arrival: SignOnArrival }
  | { is: 'confirming'; pending: PendingConfirmation; mailToken?: string }

/** The ways in: a password, the company's identity provider, or both. */
function Ways({ problem }: { problem?: string | undefined }) {
  const [refusal, setRefusal] = useState(problem)
  const name = providerName()
  const isOnlyWay = isPasswordSignInOff()
  return (
    <>
      {isOnlyWay && <h1>Sign in</h1>}
      {refusal && (
        <p role="alert" className="notice notice-bad">
          {refusal}
        </p>
      )}
      {isOnlyWay ? (
        name && <SignOnButton name={name} isOnlyWay onRefused={setRefusal} />
      ) : (
        <LoginPage>
          {name && <p className="or">or</p>}
          {name && <SignOnButton name={name} isOnlyWay={false} onRefused={setRefusal} />}
        </LoginPage>
      )}
    </>
  )
}

/** The login page, and what follows when the identity provider or a mailed link leads back to it. */
export function SignInPage({ arrival }: { arrival?: SignOnArrival | undefined }) {
  const [step, setStep] = useState<Step>(arrival ? { is: 'arriving', arrival } : { is: 'choosing' })
  const startAgain = (problem: string) => setStep({ is: 'choosing', problem })
  if (step.is === 'choosing') return <Ways problem={step.problem} />
  if (step.is === 'confirming') return <ConfirmAccount {...step} onOver={startAgain} />
  const onPending = (pending: PendingConfirmation, mailToken?: string) =>
    setStep({ is: 'confirming', pending, ...(mailToken !== undefined && { mailToken }) })
  return step.arrival.is === 'callback' ? (
    <SignOnAnswer query={step.arrival.query} onPending={onPending} onRefused={startAgain} />
  ) : (
    <SignOnMailLink mailToken={step.arrival.mailToken} onPending={onPending} onRefused={startAgain} />
  )
}
