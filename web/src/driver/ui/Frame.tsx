import type { ReactNode } from 'react'
import { Row } from '../../ui/layout.tsx'
import { useMay, useWords } from '../context.ts'
import { Link, usePath } from '../router.tsx'
import { Notices } from './Notices.tsx'
import { QueueLine } from './QueueLine.tsx'
import styles from './Frame.module.css'

interface FrameParts {
  children: ReactNode
  /** The page's next act. It stands in the thumb zone. */
  action?: ReactNode
}

/** A page of the app: what is worth knowing at the top, the page, and in the thumb zone queue, next act and menu. */
export function Frame({ children, action }: FrameParts) {
  const words = useWords()
  const path = usePath()
  const may = useMay()
  const entries = [
    ['/', words.today],
    ...(may.photos ? ([['/photos', words.photos]] as const) : []),
    ['/me', words.me],
  ] as const
  const isHere = (to: string) => (to === '/' ? path === '/' || path.startsWith('/shifts') : path.startsWith(to))
  return (
    <div className={styles.app}>
      <div className={styles.notices}>
        <Notices />
      </div>
      <main className={styles.main}>{children}</main>
      <footer className={styles.bottom}>
        <div className={styles.inner}>
          <QueueLine />
          {action}
          <Row as="nav" className={styles.menu} aria-label={words.mainMenu}>
            {entries.map(([to, name]) => (
              <Link key={to} to={to} {...(isHere(to) && { 'aria-current': 'page' as const })}>
                {name}
              </Link>
            ))}
          </Row>
        </div>
      </footer>
    </div>
  )
}
