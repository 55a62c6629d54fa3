import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { clearCookies, dropResetToken, readResetToken } from '../../api/session.ts'
import { forgotPasswordMail } from './calls.ts'
import { CallForm } from './CallForm.tsx'
import { EmailField } from './Field.tsx'

// Comes with the contract's schemas, which only this step needs and which outweigh all the others.
const NewPassword = lazy(() => import('./NewPassword.tsx'))

type Step =
  | { is: 'asking'; because?: string | undefined }
  | { is: 'mailed'; email: string }
  | { is: 'choosing'; token: string }
  | { is: 'chosen' }

function firstStep(): Step {
  const token = readResetToken()
  return token ? { is: 'choosing', token } : { is: 'asking' }
}

/** A heading that is read out when it replaces the form one has just sent. */
function Outcome({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}

const BackToLogin = ({ children }: { children: ReactNode }) => (
  <p className="aside">
    <a href={LOGIN_PATH}>{children}</a>
  </p>
)

function Asking({ because, onMailed }: { because?: string | undefined; onMailed: (email: string) => void }) {
  return (
    <>
      <h1>Forgot your password?</h1>
      {because ? (
        <p role="alert" className="notice notice-bad">
          {because}
        </p>
      ) : (
        <p className="lead">Enter your email address and we’ll send you a link to set a new password.</p>
      )}
      <CallForm
        endpoint={forgotPasswordMail}
        button="Send the link"
        busyButton="Sending…"
        onDone={(_, sent) => onMailed(sent.email.trim())}
      >
        <EmailField />
      </CallForm>
      <BackToLogin>Back to sign in</BackToLogin>
    </>
  )
}

function Mailed({ email }: { email: string }) {
  return (
    <>
      <Outcome>Check your email</Outcome>
      <p className="lead">
        If an account exists for <strong>{email}</strong>, a mail with a link is on its way. The link works for 30
        minutes.
      </p>
      <BackToLogin>Back to sign in</BackToLogin>
    </>
  )
}

function Chosen() {
  return (
    <>
      <Outcome>Your password is set</Outcome>
      <p className="lead">Every earlier session has ended. Sign in with the new password.</p>
      <a className="primary" href={LOGIN_PATH}>
        Sign in
      </a>
    </>
  )
}

export function ForgotPasswordPage() {
  const [step, setStep] = useState(firstStep)
  switch (step.is) {
    case 'asking':
      return <Asking because={step.because} onMailed={(email) => setStep({ is: 'mailed', email })} />
    case 'mailed':
      return <Mailed email={step.email} />
    case 'choosing':
      return (
        <Suspense fallback={<h1>Choose a new password</h1>}>
          <NewPassword
            token={step.token}
            onChosen={() => {
              clearCookies()
              setStep({ is: 'chosen' })
            }}
            onAskAgain={(because) => {
              dropResetToken()
              setStep({ is: 'asking', because })
            }}
          />
        </Suspense>
      )
    case 'chosen':
      return <Chosen />
  }
}
