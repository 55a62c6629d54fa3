import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { ComponentType, ReactNode } from 'react'
import type { ListOf } from '../../api/useList.ts'
import { Row, Stack } from '../layout.tsx'
import { lazyPart } from '../lazyPart.tsx'
import { SkeletonLines } from '../states.tsx'
import { NEW_RECORD, useListState } from '../useListState.ts'
import type { UrlSearch } from '../useListState.ts'
import type { RecordFormProps } from './RecordDrawer.tsx'
import styles from './RecordPage.module.css'

/** The page of a record, loaded when the first is opened. */
export const lazyPage = (load: () => Promise<{ default: ComponentType<RecordFormProps> }>) =>
  lazyPart(load, { waiting: () => <SkeletonLines rows={9} /> })

interface RecordScreenProps<Row> {
  list: ListOf<Row>
  page: ComponentType<RecordFormProps>
  /** The list, which also opens the form of a new record. */
  children: ReactNode
}

/** A list, or in its place the page of the record that the address names. */
export function RecordScreen<Row>({ list, page: Page, children }: RecordScreenProps<Row>) {
  const { open, show } = useListState(list)
  useReturnToRow(open)
  if (open === undefined || open === NEW_RECORD) return children
  return <Page key={open} frame="page" uid={open} open onClose={() => show(undefined)} onClosed={() => undefined} />
}

/** Back in the list, the focus is on the record that was open. */
function useReturnToRow(open: string | undefined): void {
  const left = useRef<string>(undefined)
  useEffect(() => {
    if (open === undefined) document.querySelector<HTMLElement>(`main a[href*="open=${left.current}"]`)?.focus()
    left.current = open
  }, [open])
}

interface RecordPageProps {
  /** What several records are called. */
  several: string
  title: string
  /** Whether the form stands in two columns. */
  large: boolean
  /** What stands above the parts of the record. */
  summary: ReactNode
  children: ReactNode
}

const withoutRecord = ({ open: _open, tab: _tab, ...list }: UrlSearch): UrlSearch => list

/** The frame of a record with many parts: the way back to its list, its name, a summary, and the parts. */
export function RecordPage({ several, title, large, summary, children }: RecordPageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The list that had the focus is gone.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <Stack as="article" gap={3} aria-label={title} data-record data-large={large} className={styles.page}>
      <Row as="header" gap={4} align="baseline" wrap className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <Link to="." search={withoutRecord}>
          All {several}
        </Link>
      </Row>
      {summary}
      <div className={styles.parts}>{children}</div>
    </Stack>
  )
}
