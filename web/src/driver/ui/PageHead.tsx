import { Row } from '../../ui/layout.tsx'
import { useWords } from '../context.ts'
import { goBack } from '../router.tsx'
import styles from './Frame.module.css'

/** The title of a page below another, with the way back. */
export function PageHead({ title, up }: { title: string; up: string }) {
  const words = useWords()
  return (
    <Row gap={2} align="center">
      <button type="button" className={styles.back} aria-label={words.back} onClick={() => goBack(up)}>
        <svg width="28" height="28" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2.5" aria-hidden>
          <path d="M15 5l-7 7 7 7" />
        </svg>
      </button>
      <h1>{title}</h1>
    </Row>
  )
}
