import { CLIENT_TYPE } from '@roadshow/contract/platform/constants'
import { keepSession, signOutReason } from '../../api/session.ts'
import { authenticate } from './calls.ts'
import { CallForm } from './CallForm.tsx'
import { EmailField, PasswordField } from './Field.tsx'
import { nextPath } from './next-path.ts'

export function LoginPage() {
  const reason = signOutReason()
  return (
    <>
      <h1>Sign in</h1>
      {reason && (
        <p role="status" className="notice">
          {reason}
        </p>
      )}
      <CallForm
        endpoint={authenticate}
        fixed={{ clientType: CLIENT_TYPE }}
        button="Sign in"
        busyButton="Signing in…"
        onDone={({ data: { token, user } }) => {
          keepSession(token, user.userUid)
          location.assign(nextPath(location.search))
        }}
      >
        <EmailField />
        <PasswordField label="Password" autoComplete="current-password" />
      </CallForm>
      <p className="aside">
        <a href="/forgot-password">Forgot password?</a>
      </p>
    </>
  )
}
