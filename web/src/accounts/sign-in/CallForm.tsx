import type { Endpoint, InputOf, ReplyOf } from '@roadshow/contract/platform/endpoint'
import { useLayoutEffect, useRef, useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { ApiError, call, errorMessage } from '../../api/call.ts'
import { reportError } from '../../api/error-log.ts'
import { FieldErrors } from './Field.tsx'
import { translated, words } from './words/index.ts'

type Body<E extends Endpoint> = InputOf<E> extends { body: infer B } ? B : never

interface Failure {
  sentence?: string
  fields: Record<string, string>
}

interface Props<E extends Endpoint> {
  endpoint: E
  /** What is sent beside the fields. */
  fixed?: Partial<Body<E>>
  button: string
  busyButton: string
  /** Makes the call in another way, and says itself what comes of it. */
  send?: (body: Body<E>) => Promise<void>
  onDone?: (reply: ReplyOf<E>, sent: Body<E>) => void
  /** Takes over an error that the form itself cannot show usefully. */
  onRefused?: (error: ApiError) => boolean
  children: ReactNode
}

const inputsOf = (form: HTMLFormElement) => [...form.querySelectorAll('input')]

// What is empty, and, where the call's schema came along, what it refuses.
function judge(endpoint: Endpoint, inputs: HTMLInputElement[], body: unknown): Failure['fields'] {
  const empty = inputs.filter((input) => input.value === '')
  if (empty.length > 0) return Object.fromEntries(empty.map((input) => [input.name, words.required]))
  const issues = endpoint.body?.safeParse(body).error?.issues ?? []
  return Object.fromEntries(issues.toReversed().map((issue) => [String(issue.path[0]), translated(issue.message)]))
}

function explain(error: unknown, inputs: HTMLInputElement[]): Failure {
  if (!(error instanceof ApiError)) void reportError('sign-in form', error)
  const fields = error instanceof ApiError ? error.fields : {}
  const shown = Object.fromEntries(Object.entries(fields).map(([name, sentence]) => [name, translated(sentence)]))
  const saidAtField = inputs.some(({ name }) => name in fields)
  return saidAtField ? { fields: shown } : { sentence: translated(errorMessage(error)), fields: shown }
}

/** A form that makes one call: its fields are the call's body, and what the server refuses is said where it belongs. */
export function CallForm<E extends Endpoint>(props: Props<E>) {
  const { endpoint, fixed, button, busyButton, send, onDone, onRefused, children } = props
  const form = useRef<HTMLFormElement>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()

  // The alert speaks for itself; the hands belong where the correction is made.
  useLayoutEffect(() => {
    if (!failure || !form.current) return
    const inputs = inputsOf(form.current)
    const input = inputs.find(({ name }) => name in failure.fields) ?? inputs.at(-1)
    input?.focus()
    input?.select()
  }, [failure])

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (busy) return
    const inputs = inputsOf(event.currentTarget)
    const body = { ...Object.fromEntries(new FormData(event.currentTarget)), ...fixed } as Body<E>
    const fields = judge(endpoint, inputs, body)
    if (Object.keys(fields).length > 0) return setFailure({ fields })
    setFailure(undefined)
    setBusy(true)
    try {
      // People press again themselves: a second try of the page could find what the first one used up.
      if (send) await send(body)
      else onDone?.(await call(endpoint, { body } as InputOf<E>, { isOnce: true }), body)
    } catch (error) {
      setBusy(false)
      if (error instanceof ApiError && onRefused?.(error)) return
      setFailure(explain(error, inputs))
    }
  }

  return (
    <form ref={form} noValidate aria-busy={busy} onSubmit={(event) => void submit(event)}>
      {failure?.sentence && (
        <p role="alert" className="notice notice-bad">
          {failure.sentence}
        </p>
      )}
      <FieldErrors value={failure?.fields ?? {}}>{children}</FieldErrors>
      <button type="submit" className="primary" aria-disabled={busy}>
        {busy ? busyButton : button}
      </button>
    </form>
  )
}
