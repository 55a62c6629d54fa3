import type { PendingConfirmation } from '@roadshow/contract/accounts/single-sign-on'
import { LOGIN_PATH } from '@roadshow/contract/platform/constants'
import type { ErrorBody } from '@roadshow/contract/platform/errors'
import { useState } from 'react'
import { type ApiError, call, errorMessage } from '../../api/call.ts'
import { brandName } from '../../brand/brand.ts'
import { CallForm } from './CallForm.tsx'
import { confirmByMail, confirmByPassword, mailConfirmation } from './calls.ts'
import { enterConsole } from './enter-console.ts'
import { PasswordField } from './Field.tsx'
import { providerName } from './ways-in.ts'
import { translated, words } from './words/index.ts'

interface Props {
  pending: PendingConfirmation
  /** The token of the mailed link, if that is what led here. */
  mailToken?: string
  /** The confirmation is over: it took too long, or was done elsewhere. */
  onOver: (sentence: string) => void
  /** The account has a second factor, which is asked for before it is linked. */
  onSecondFactor: (secondFactor: NonNullable<ErrorBody['secondFactor']>) => void
}

/** Shows which account the company sign-in is about to open, and asks its owner for consent. */
export function ConfirmAccount({ pending, mailToken, onOver, onSecondFactor }: Props) {
  const onRefused = leaveFor({ onOver, onSecondFactor })
  const [isMailed, setMailed] = useState(false)
  if (isMailed) return <Mailed email={pending.email} />
  return (
    <>
      <h1>{words.isYours}</h1>
      <p className="lead">
        {words.isYoursText({
          provider: providerName(),
          brand: brandName(),
          email: <strong>{pending.email}</strong>,
          name: <strong>{pending.accountName}</strong>,
        })}
      </p>
      {mailToken === undefined ? (
        <Confirming pending={pending} onMailed={() => setMailed(true)} onRefused={onRefused} />
      ) : (
        <CallForm
          endpoint={confirmByMail}
          fixed={{ token: mailToken }}
          button={words.linkAccount}
          busyButton={words.linking}
          onDone={({ data }) => enterConsole(data)}
          onRefused={onRefused}
        >
          {null}
        </CallForm>
      )}
      <p className="aside">
        <a href={LOGIN_PATH}>{words.notMine}</a>
      </p>
    </>
  )
}

/** Leaves this page for errors that it cannot show usefully. */
const leaveFor =
  ({ onOver, onSecondFactor }: Pick<Props, 'onOver' | 'onSecondFactor'>) =>
  (error: ApiError) => {
    const isOver = error.code === 'singleSignOnExpired'
    if (isOver) onOver(error.message)
    if (error.secondFactor) onSecondFactor(error.secondFactor)
    return isOver || error.secondFactor !== undefined
  }

interface ConfirmingProps extends Pick<Props, 'pending'> {
  onMailed: () => void
  onRefused: (error: ApiError) => boolean
}

function Confirming({ pending, onMailed, onRefused }: ConfirmingProps) {
  const hasPassword = pending.ways.includes('password')
  return (
    <>
      {hasPassword && (
        <CallForm
          endpoint={confirmByPassword}
          button={words.linkAccount}
          busyButton={words.linking}
          onDone={({ data }) => enterConsole(data)}
          onRefused={onRefused}
        >
          <PasswordField label={words.passwordOf(brandName())} autoComplete="current-password" />
        </CallForm>
      )}
      <MailButton isOnlyWay={!hasPassword} onMailed={onMailed} onRefused={onRefused} />
    </>
  )
}

interface MailButtonProps extends Omit<ConfirmingProps, 'pending'> {
  isOnlyWay: boolean
}

function MailButton({ isOnlyWay, onMailed, onRefused }: MailButtonProps) {
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
      if (!onRefused(error as ApiError)) setRefusal(translated(errorMessage(error)))
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
        {isOnlyWay ? words.mailMe : words.mailMeInstead}
      </button>
    </>
  )
}

const Mailed = ({ email }: { email: string }) => (
  <>
    <h1>{words.checkEmail}</h1>
    <p className="lead">{words.linkMailed(<strong>{email}</strong>)}</p>
    <p className="aside">
      <a href={LOGIN_PATH}>{words.backToSignIn}</a>
    </p>
  </>
)
