import { Link } from '@tanstack/react-router'
import type { UrlSearch } from '../../ui/useListState.ts'
import styles from './shiftTabs.module.css'

interface ReplayLinkProps {
  /** The shift, or the truck and its day. */
  search: UrlSearch
}

/** Leads to the replay of a shift or of a truck's day. */
export const ReplayLink = ({ search }: ReplayLinkProps) => (
  <Link to="/replay" search={search} className={styles.button}>
    Replay
  </Link>
)
