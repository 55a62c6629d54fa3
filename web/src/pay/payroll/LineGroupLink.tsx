import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UrlSearch } from '../../ui/useListState.ts'
import { LINES_ID } from './lineGroups.ts'
import type { LineGroup } from './lineGroups.ts'
import styles from './LineGroupLink.module.css'

/** A figure of a statement that leads to the shifts it comes from. */
export const LineGroupLink = ({ group, children }: { group: LineGroup; children: ReactNode }) => (
  <Link
    to="."
    search={(old: UrlSearch) => ({ ...old, lines: group === 'all' ? undefined : group })}
    className={styles.figure ?? ''}
    resetScroll={false}
    onClick={() => document.getElementById(LINES_ID)?.scrollIntoView({ block: 'start' })}
  >
    {children}
  </Link>
)
