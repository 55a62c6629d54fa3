import { Button } from 'antd'
import { errorMessage } from '../api/call.ts'
import styles from './Shell.module.css'

/** Takes the place of a screen that broke. The error has been reported by then. */
export const ErrorPage = ({ error }: { error: unknown }) => (
  <section className={styles.center} role="alert">
    <h1>{errorMessage(error)}</h1>
    <p>The error has been reported. Reloading the page usually helps; everything you saved is safe.</p>
    <Button type="primary" onClick={() => location.reload()}>
      Reload
    </Button>
  </section>
)
