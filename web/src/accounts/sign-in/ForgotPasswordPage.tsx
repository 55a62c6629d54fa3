import type { PasswordLink } from '@roadshow/contract/accounts/sign-in'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { call } from '../../api/call.ts'
import { clearCookies, dropResetToken, readResetToken } from '../../api/session.ts'
import { checkPasswordLink, forgotPasswordMail } from './calls.ts'
import { CallForm } from './CallForm.tsx'
import { EmailField } from './Field.tsx'
import { translated, words } from './words/index.ts'

// Comes with the contract's schemas, which only this step needs and which outweigh all the others.
const NewPassword = lazy(() => import('./NewPassword.tsx'))

type ValidLink = Extract<PasswordLink, { state: 'valid' }>

type Step =
  | { is: 'asking'; because?: string | undefined }
  | { is: 'mailed'; email: string }
  | { is: 'checking'; token: string }
  | { is: 'choosing'; token: string; link?: ValidLink | undefined }
  | { is: 'chosen' }

function firstStep(): Step {
  const token = readResetToken()
  return token ? { is: 'checking', token } : { is: 'asking' }
}

/** Why a link leads no further, and what to do next. */
const linkProblem: Record<Exclude<PasswordLink['state'], 'valid'>, string> = {
  used: 'This link was used already. Sign in with the password you chose, or request a new link.',
  expired: 'This link has expired. Enter your email address to get a new one.',
  unknown: 'This link no longer works. Use the one in your newest email, or request a new link.',
}

/** Looks at the link before a password is typed. If the server does not answer, saving the password will tell. */
async function checkLink(token: string): Promise<Step> {
  try {
    const { data } = await call(checkPasswordLink, { body: { token } })
    if (data.state === 'valid') return { is: 'choosing', token, link: data }
    dropResetToken()
    return { is: 'asking', because: linkProblem[data.state] }
  } catch {
    return { is: 'choosing', token }
  }
}

function Checking({ token, onChecked }: { token: string; onChecked: (step: Step) => void }) {
  useEffect(() => {
    let isCurrent = true
    void checkLink(token).then((step) => isCurrent && onChecked(step))
    return () => void (isCurrent = false)
  }, [token, onChecked])
  return <h1 aria-busy="true">{words.checkingLink}</h1>
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
      <h1>{words.forgotTitle}</h1>
      {because ? (
        <p role="alert" className="notice notice-bad">
          {translated(because)}
        </p>
      ) : (
        <p className="lead">{words.forgotText}</p>
      )}
      <CallForm
        endpoint={forgotPasswordMail}
        button={words.sendLink}
        busyButton={words.sending}
        onDone={(_, sent) => onMailed(sent.email.trim())}
      >
        <EmailField />
      </CallForm>
      <BackToLogin>{words.backToSignIn}</BackToLogin>
    </>
  )
}

function Mailed({ email }: { email: string }) {
  return (
    <>
      <Outcome>{words.checkEmail}</Outcome>
      <p className="lead">{words.mailed(<strong>{email}</strong>)}</p>
      <BackToLogin>{words.backToSignIn}</BackToLogin>
    </>
  )
}

function Chosen() {
  return (
    <>
      <Outcome>{words.passwordSet}</Outcome>
      <p className="lead">{words.passwordSetText}</p>
      <a className="primary" href={LOGIN_PATH}>
        {words.signIn}
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
    case 'checking':
      return <Checking token={step.token} onChecked={setStep} />
    case 'choosing':
      return (
        <Suspense fallback={<h1>{words.chooseNewPassword}</h1>}>
          <NewPassword
            token={step.token}
            link={step.link}
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
