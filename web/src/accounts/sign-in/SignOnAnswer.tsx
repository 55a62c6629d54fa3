import type { PendingConfirmation } from '@roadshow/contract/accounts/single-sign-on'
import { useEffect, useRef } from 'react'
import { call } from '../../api/call.ts'
import { finishSignOn, readConfirmation } from './calls.ts'
import { enterConsole } from './enter-console.ts'
import { words } from './words/index.ts'

interface Props {
  onPending: (pending: PendingConfirmation, mailToken?: string) => void
  onRefused: (error: unknown) => void
}

/** Runs a call once, however often the page is drawn: the provider's answer works only once. */
function useOnce(work: () => Promise<void>): void {
  const isStarted = useRef(false)
  useEffect(() => {
    if (isStarted.current) return
    isStarted.current = true
    void work()
  })
}

const Waiting = () => (
  <>
    <h1>{words.signingYouIn}</h1>
    <p className="lead" role="status">
      {words.takesAMoment}
    </p>
  </>
)

/** The identity provider has sent the browser back. */
export function SignOnAnswer({ query, onPending, onRefused }: Props & { query: string }) {
  useOnce(async () => {
    try {
      const { data } = await call(finishSignOn, { body: { callback: query } })
      if (data.step === 'confirm') onPending(data)
      else enterConsole(data)
    } catch (error) {
      onRefused(error)
    }
  })
  return <Waiting />
}

/** The link of a confirmation was opened: first it shows what is to be confirmed. */
export function SignOnMailLink({ mailToken, onPending, onRefused }: Props & { mailToken: string }) {
  useOnce(async () => {
    try {
      onPending((await call(readConfirmation, {})).data, mailToken)
    } catch (error) {
      onRefused(error)
    }
  })
  return <Waiting />
}
