import { MIN_PASSWORD, auth } from '@roadshow/contract/accounts/sign-in'
import { errors } from '@roadshow/contract/platform/errors'
import { CallForm } from './CallForm.tsx'
import { PasswordField } from './Field.tsx'

interface Props {
  token: string
  onChosen: () => void
  onAskAgain: (because?: string) => void
}

export default function NewPassword({ token, onChosen, onAskAgain }: Props) {
  return (
    <>
      <h1>Choose a new password</h1>
      <CallForm
        endpoint={auth.passwordReset}
        fixed={{ token }}
        button="Set password"
        busyButton="Setting…"
        onDone={onChosen}
        onRefused={(error) => {
          const linkIsSpent = error.code === 'resetTokenUsed' || 'token' in error.fields
          if (linkIsSpent) onAskAgain(errors.resetTokenUsed[1])
          return linkIsSpent
        }}
      >
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint={`At least ${MIN_PASSWORD} characters. You’ll be signed out everywhere.`}
        />
      </CallForm>
      <p className="aside">
        <button type="button" className="link" onClick={() => onAskAgain()}>
          Ask for a new link
        </button>
      </p>
    </>
  )
}
