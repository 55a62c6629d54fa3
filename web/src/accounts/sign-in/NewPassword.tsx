import { MIN_PASSWORD, auth } from '@roadshow/contract/accounts/sign-in'
import type { PasswordLink } from '@roadshow/contract/accounts/sign-in'
import { errors } from '@roadshow/contract/platform/errors'
import { CallForm } from './CallForm.tsx'
import { PasswordField } from './Field.tsx'

interface Props {
  token: string
  /** Undefined if the link could not be checked. */
  link: Extract<PasswordLink, { state: 'valid' }> | undefined
  onChosen: () => void
  onAskAgain: (because?: string) => void
}

export default function NewPassword({ token, link, onChosen, onAskAgain }: Props) {
  const isFirst = link?.kind === 'invitation'
  const length = `At least ${MIN_PASSWORD} characters.`
  return (
    <>
      <h1>{isFirst ? 'Choose your password' : 'Choose a new password'}</h1>
      {link && (
        <p className="lead">
          For the account <strong>{link.email}</strong>.
        </p>
      )}
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
          hint={isFirst ? length : `${length} You’ll be signed out everywhere.`}
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
