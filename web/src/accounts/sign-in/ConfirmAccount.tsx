import type { PendingConfirmation } from '@roadshow/contract/accounts/single-sign-on'
import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import { useState } from 'react'
import { type ApiError, call, errorMessage } from '../../api/call.ts'
import { brandName } from '../../brand/brand.ts'
import { CallForm } from './CallForm.tsx'
import { confirmByMail, confirmByPassword, mailConfirmation } from './calls.ts'
import { enterConsole } from './enter-console.ts'
import { PasswordField } from './Field.tsx'
import { providerName } from './ways-in.ts'

interface Props {
  pending: PendingConfirmation
  /** The token of the mailed link, if that is what led here. */
  mailToken?: string
  /** The confirmation is over: it took too long, or was done elsewhere. */
  onOver: (sentence: string) => void
}

const LINK = 'Link and sign in'

/** Shows which account the company sign-in is about to open, and asks its owner for consent. */
export function ConfirmAccount({ pending, mailToken, onOver }: Props) {
  const [isMailed, setMailed] = useState(false)
  if (isMailed) return <Mailed email={pending.email} />
  return (
    <>
      <h1>Is this your account?</h1>
      <p className="lead">
        You signed in with {providerName()} as <strong>{pending.email}</strong>. The {brandName()} account of{' '}
        <strong>{pending.accountName}</strong> has the same address. Confirm that it is yours, and {providerName()}{' '}
        opens it from now on.
      </p>
      {mailToken === undefined ? (
        <Confirming pending={pending} onMailed={() => setMailed(true)} onOver={onOver} />
      ) : (
        <CallForm
          endpoint={confirmByMail}
          fixed={{ token: mailToken }}
          button={LINK}
          busyButton="Linking…"
          onDone={({ data }) => enterConsole(data)}
          onRefused={whenOver(onOver)}
        >
          {null}
        </CallForm>
      )}
      <p className="aside">
        <a href={LOGIN_PATH}>Not my account</a>
      </p>
    </>
  )
}

const whenOver = (onOver: Props['onOver']) => (error: ApiError) => {
  const isOver = error.code === 'singleSignOnExpired'
  if (isOver) onOver(error.message)
  return isOver
}

interface ConfirmingProps extends Pick<Props, 'pending' | 'onOver'> {
  onMailed: () => void
}

function Confirming({ pending, onMailed, onOver }: ConfirmingProps) {
  const hasPassword = pending.ways.includes('password')
  return (
    <>
      {hasPassword && (
        <CallForm
          endpoint={confirmByPassword}
          button={LINK}
          busyButton="Linking…"
          onDone={({ data }) => enterConsole(data)}
          onRefused={whenOver(onOver)}
        >
          <PasswordField label={`Your ${brandName()} password`} autoComplete="current-password" />
        </CallForm>
      )}
      <MailButton isOnlyWay={!hasPassword} onMailed={onMailed} onOver={onOver} />
    </>
  )
}

interface MailButtonProps extends Pick<Props, 'onOver'> {
  isOnlyWay: boolean
  onMailed: () => void
}

function MailButton({ isOnlyWay, onMailed, onOver }: MailButtonProps) {
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()

  async function mail() {
    if (busy) return
    setBusy(true)
    try {
      await call(mailConfirmation, {})
      onMailed()
    } catch (error) {
      setBusy(false)
      if (!whenOver(onOver)(error as ApiError)) setRefusal(errorMessage(error))
    }
  }

  return (
    <>
      {refusal && (
        <p role="alert" className="notice notice-bad">
          {refusal}
        </p>
      )}
      <button
        type="button"
        className={isOnlyWay ? 'primary' : 'secondary'}
        aria-disabled={busy}
        onClick={() => void mail()}
      >
        {isOnlyWay ? 'Email me a link' : 'Email me a link instead'}
      </button>
    </>
  )
}

const Mailed = ({ email }: { email: string }) => (
  <>
    <h1>Check your email</h1>
    <p className="lead">
      A link is on its way to <strong>{email}</strong>. Open it in this browser within 30 minutes.
    </p>
    <p className="aside">
      <a href={LOGIN_PATH}>Back to sign in</a>
    </p>
  </>
)
