import { Skeleton } from 'antd'
import { useRef } from 'react'
import { ErrorState } from '../../../ui/states.tsx'
import { usePreview } from '../usePop.ts'
import shared from '../pop.module.css'
import styles from './PopPreview.module.css'

/** A preview of the page if it were published now. */
export function PopPreview({ uid }: { uid: string }) {
  const found = usePreview(uid)
  const frame = useRef<HTMLIFrameElement>(null)
  const scrolled = useRef(0)
  // A reload of the preview keeps the scroll position.
  const keepPlace = () => {
    const page = frame.current?.contentWindow
    page?.scrollTo(0, scrolled.current)
    page?.addEventListener('scroll', () => void (scrolled.current = page.scrollY), { passive: true })
  }
  return (
    <section aria-label="Preview" className={styles.preview} aria-busy={found.isFetching}>
      <h3>
        Preview <span className={shared.soft}>of the next version</span>
      </h3>
      {found.isError && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <Skeleton active paragraph={{ rows: 10 }} />}
      {found.data && (
        // The server wrote every word of it escaped, and the console's content policy holds for it too.
        // oxlint-disable-next-line react/iframe-missing-sandbox
        <iframe ref={frame} title="Preview of the page" srcDoc={found.data.html} onLoad={keepPlace} />
      )}
    </section>
  )
}
