import { MIN_PASSWORD, auth } from '@roadshow/contract/accounts/sign-in'
import type { PasswordLink } from '@roadshow/contract/accounts/sign-in'
import { errors } from '@roadshow/contract/platform/errors'
import { CallForm } from './CallForm.tsx'
import { PasswordField } from './Field.tsx'
import { words } from './words/index.ts'

interface Props {
  token: string
  /** Undefined if the link could not be checked. */
  link: Extract<PasswordLink, { state: 'valid' }> | undefined
  onChosen: () => void
  onAskAgain: (because?: string) => void
}

export default function NewPassword({ token, link, onChosen, onAskAgain }: Props) {
  const isFirst = link?.kind === 'invitation'
  return (
    <>
      <h1>{isFirst ? words.choosePassword : words.chooseNewPassword}</h1>
      {link && <p className="lead">{words.forAccount(<strong>{link.email}</strong>)}</p>}
      <CallForm
        endpoint={auth.passwordReset}
        fixed={{ token }}
        button={words.setPassword}
        busyButton={words.setting}
        onDone={onChosen}
        onRefused={(error) => {
          const linkIsSpent = error.code === 'resetTokenUsed' || 'token' in error.fields
          if (linkIsSpent) onAskAgain(errors.resetTokenUsed[1])
          return linkIsSpent
        }}
      >
        <PasswordField
          label={words.newPassword}
          autoComplete="new-password"
          hint={(isFirst ? words.passwordLength : words.passwordLengthAgain)(MIN_PASSWORD)}
        />
      </CallForm>
      <p className="aside">
        <button type="button" className="link" onClick={() => onAskAgain()}>
          {words.newLink}
        </button>
      </p>
    </>
  )
}
