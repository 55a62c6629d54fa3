import { isTransientStatus } from '@roadshow/contract/platform/retries'
import { useRouter } from '@tanstack/react-router'
import { Button } from 'antd'
import { ApiError, errorMessage } from '../api/call.ts'
import { isMissingPart, reloadWithDrafts } from '../api/missing-parts.ts'
import styles from './Shell.module.css'

/** What happened and what helps, in two sentences. */
function explain(error: unknown): [title: string, help: string] {
  if (isMissingPart(error))
    return [
      'This screen could not be loaded.',
      'If you are offline, retry. If there is a new version, reload. Everything you saved is safe.',
    ]
  const help =
    error instanceof ApiError && isTransientStatus(error.status)
      ? 'Your session continues as soon as the server answers.'
      : 'The error has been reported. Everything you saved is safe.'
  return [errorMessage(error), help]
}

/** Takes the place of a screen that broke or could not be loaded. */
export function ErrorPage({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  const [title, help] = explain(error)
  return (
    <section className={styles.center} role="alert">
      <h1>{title}</h1>
      <p>{help}</p>
      <p>
        <Button type="primary" onClick={() => void router.invalidate().finally(reset)}>
          Retry
        </Button>{' '}
        <Button onClick={reloadWithDrafts}>Reload</Button>
      </p>
    </section>
  )
}
