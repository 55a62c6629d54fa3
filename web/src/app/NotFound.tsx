import { Button } from 'antd'
import { useLocation } from '@tanstack/react-router'
import styles from './Shell.module.css'

export function NotFound() {
  const { pathname } = useLocation()
  return (
    <section className={styles.center}>
      <h1>There is no page here</h1>
      <p>
        There is nothing at <code>{pathname}</code>. The address may be mistyped, or the page has moved.
      </p>
      <Button type="primary" href="/">
        Go to the first screen
      </Button>
    </section>
  )
}
