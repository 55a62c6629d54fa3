import { useLinkProps } from '@tanstack/react-router'
import styles from './ViewLinks.module.css'

interface ViewLinksProps {
  label: string
  /** Each view's name in the address, and its word; the first needs no name. */
  views: Record<string, string>
  current: string
}

/** Lists that share a screen. Which one is shown stands in the address; each begins with a search of its own. */
export const ViewLinks = ({ label, views, current }: ViewLinksProps) => (
  <nav aria-label={label} className={styles.views}>
    {Object.entries(views).map(([view, word], index) => (
      <View key={view} view={index === 0 ? undefined : view} word={word} isCurrent={view === current} />
    ))}
  </nav>
)

function View({ view, word, isCurrent }: { view: string | undefined; word: string; isCurrent: boolean }) {
  const link = useLinkProps({ to: '.', search: view === undefined ? {} : { view } })
  // The router would call every view current: they share a path.
  return (
    <a {...link} className={styles.view} aria-current={isCurrent ? 'page' : undefined}>
      {word}
    </a>
  )
}
