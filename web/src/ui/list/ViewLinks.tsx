import { useLinkProps } from '@tanstack/react-router'
import type { UrlSearch } from '../useListState.ts'
import styles from './ViewLinks.module.css'

interface ViewLinksProps {
  label: string
  /** Each view's name in the address, and its word; the first needs no name. */
  views: Record<string, string>
  current: string
  /** What the lists have in common, such as the filter by program: it is kept from one to the other. */
  kept?: readonly string[]
}

/** Lists that share a screen. Which one is shown stands in the address; each begins with a search of its own. */
export const ViewLinks = ({ label, views, current, kept = [] }: ViewLinksProps) => (
  <nav aria-label={label} className={styles.views}>
    {Object.entries(views).map(([view, word], index) => (
      <View key={view} view={index === 0 ? undefined : view} word={word} isCurrent={view === current} kept={kept} />
    ))}
  </nav>
)

interface ViewProps {
  view: string | undefined
  word: string
  isCurrent: boolean
  kept: readonly string[]
}

function View({ view, word, isCurrent, kept }: ViewProps) {
  const shared = (old: UrlSearch) =>
    Object.fromEntries(kept.flatMap((name) => (name in old ? [[name, old[name]]] : [])))
  const link = useLinkProps({
    to: '.',
    search: (old: UrlSearch) => (view === undefined ? shared(old) : { view, ...shared(old) }),
  })
  // The router would call every view current: they share a path.
  return (
    <a {...link} className={styles.view} aria-current={isCurrent ? 'page' : undefined}>
      {word}
    </a>
  )
}
