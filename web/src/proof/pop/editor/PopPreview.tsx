import { useRef } from 'react'
import { Soft } from '../../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../../ui/states.tsx'
import { usePreview } from '../usePop.ts'
import styles from './PopPreview.module.css'

/** Links of the page lead away from the preview, except those to its own chapters. */
function stayInPreview(event: Event): void {
  const link = (event.target as Element | null)?.closest('a')
  if (link && !link.getAttribute('href')?.startsWith('#')) event.preventDefault()
}

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
    page?.document.addEventListener('click', stayInPreview)
  }
  return (
    <section aria-label="Preview" className={styles.preview} aria-busy={found.isFetching}>
      <h3>
        Preview <Soft>of the next version</Soft>
      </h3>
      {found.isError && !found.data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {!found.data && !found.isError && <SkeletonLines rows={11} />}
      {found.data && (
        // Sandboxed without scripts. The same origin lets this component keep the scroll position.
        <iframe
          ref={frame}
          title="Preview of the page"
          sandbox="allow-same-origin"
          srcDoc={found.data.html}
          onLoad={keepPlace}
        />
      )}
    </section>
  )
}
