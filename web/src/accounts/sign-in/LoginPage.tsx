import { CLIENT_TYPE } from '@roadshow/contract/platform/constants'
import type { ErrorBody } from '@roadshow/contract/platform/errors'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { askPasskey, canUsePasskeys } from '../../api/passkey.ts'
import { signOutReason } from '../../api/session.ts'
import { authenticate, challengeSignIn, signInWithPasskey } from './calls.ts'
import { CallForm } from './CallForm.tsx'
import { enter } from './enter.ts'
import { EmailField, PasswordField } from './Field.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import { SecondStep } from './SecondStep.tsx'
import { translated, words } from './words/index.ts'

type Step = NonNullable<ErrorBody['secondFactor']>

async function enterWithPasskey(): Promise<void> {
  const { data } = await call(challengeSignIn, {})
  enter((await call(signInWithPasskey, { body: { passkey: await askPasskey(data) } })).data)
}

/** Signing in with a password or a passkey; below it stand other ways in, until the password leads to a second step. */
export function LoginPage({ problem, children }: { problem?: string | undefined; children?: ReactNode }) {
  const [step, setStep] = useState<Step>()
  const [because, setBecause] = useState<string>()
  const reason = signOutReason()
  const refusal = because ?? problem
  const startOver = (reason?: string) => {
    setBecause(reason)
    setStep(undefined)
  }
  if (step) return <SecondStep step={step} onSignedIn={enter} onStartOver={startOver} />
  return (
    <>
      <h1>{words.signIn}</h1>
      {reason && !refusal && (
        <p role="status" className="notice">
          {translated(reason)}
        </p>
      )}
      {refusal && (
        <p role="alert" className="notice notice-bad">
          {translated(refusal)}
        </p>
      )}
      <CallForm
        endpoint={authenticate}
        fixed={{ clientType: CLIENT_TYPE }}
        button={words.signIn}
        busyButton={words.signingIn}
        onDone={({ data }) => enter(data)}
        onRefused={({ secondFactor }) => {
          if (secondFactor) setStep(secondFactor)
          return secondFactor !== undefined
        }}
      >
        <EmailField />
        <PasswordField label={words.password} autoComplete="current-password" />
      </CallForm>
      {canUsePasskeys() && <PasskeyButton onPress={enterWithPasskey}>{words.passkeySignIn}</PasskeyButton>}
      <p className="aside">
        <a href="/forgot-password">{words.forgotPassword}</a>
      </p>
      {children}
    </>
  )
}
