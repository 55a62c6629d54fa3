import type { ErrorBody } from '@roadshow/contract/platform/errors'
import { useState } from 'react'
import { type ApiError, call } from '../../api/call.ts'
import { askPasskey, canUsePasskeys } from '../../api/passkey.ts'
import { challengeSecondStep, finishSignIn } from './calls.ts'
import { CallForm } from './CallForm.tsx'
import { CodeField, RecoveryCodeField } from './Field.tsx'
import { PasskeyButton } from './PasskeyButton.tsx'
import type { SignedIn } from './enter.ts'
import { words } from './words/index.ts'

interface Props {
  step: NonNullable<ErrorBody['secondFactor']>
  onSignedIn: (reply: SignedIn) => void
  /** The password has to be entered again. */
  onStartOver: (because?: string) => void
}

/** The second step of signing in: a passkey, the code of an authenticator app, or a recovery code. */
export function SecondStep({ step: { token, factors }, onSignedIn, onStartOver }: Props) {
  const [recovers, setRecovers] = useState(false)
  const hasPasskey = factors.includes('passkey') && canUsePasskeys()
  const hasCode = factors.includes('code')

  const onRefused = (error: ApiError) => {
    if (error.code !== 'signInExpired') return false
    onStartOver(error.message)
    return true
  }
  const withPasskey = async () => {
    const { data } = await call(challengeSecondStep, { body: { token } })
    onSignedIn((await call(finishSignIn, { body: { token, passkey: await askPasskey(data) } })).data)
  }
  const form = { endpoint: finishSignIn, fixed: { token }, onRefused, busyButton: words.checking }
  return (
    <>
      <h1>{words.oneMoreStep}</h1>
      {recovers ? (
        <CallForm key="recovery" {...form} button={words.signIn} onDone={({ data }) => onSignedIn(data)}>
          <RecoveryCodeField />
        </CallForm>
      ) : (
        <>
          {hasPasskey && (
            <PasskeyButton className="primary first" onPress={withPasskey} onRefused={onRefused}>
              {words.passkeyNow}
            </PasskeyButton>
          )}
          {hasPasskey && hasCode && <p className="or">{words.or}</p>}
          {hasCode && (
            <CallForm key="code" {...form} button={words.signIn} onDone={({ data }) => onSignedIn(data)}>
              <CodeField hint={words.codeHint} />
            </CallForm>
          )}
          {!hasPasskey && !hasCode && <p className="lead">{words.noPasskeyHere}</p>}
        </>
      )}
      <p className="aside">
        {factors.includes('recoveryCode') && (
          <button type="button" className="link" onClick={() => setRecovers(!recovers)}>
            {recovers ? words.backToFactor : words.recoveryCodeInstead}
          </button>
        )}
      </p>
      <p className="aside">
        <button type="button" className="link" onClick={() => onStartOver()}>
          {words.someoneElse}
        </button>
      </p>
      {recovers && <p className="aside">{words.noCodeLeft}</p>}
    </>
  )
}
