import { Button } from 'antd'
import { useLocation } from '@tanstack/react-router'
import styles from './Shell.module.css'

export function NotFound() {
  const { pathname } = useLocation()
  return (
    <section className={styles.center}>
      <h1>Page not found</h1>
      <p>
        There is no page at <code>{pathname}</code>. The address may be mistyped, or the page may have moved.
      </p>
      <Button type="primary" href="/">
        Go to the home screen
      </Button>
    </section>
  )
}
