import { useLinkProps } from '@tanstack/react-router'
import type { KeyboardEvent, ReactNode } from 'react'
import type { UrlSearch } from '../useListState.ts'
import styles from './charts.module.css'

/** The rows behind a figure: a screen and its filters. */
export interface ChartLink {
  to: string
  search: UrlSearch
}

interface MarkProps {
  /** The figures in a sentence: spoken, and shown while the pointer or the focus is here. */
  name: string
  isTabStop: boolean
  onActive: (isActive: boolean) => void
  onKeyDown: (event: KeyboardEvent) => void
  children: ReactNode
}

const eventsOf = ({ name, isTabStop, onActive, onKeyDown }: Omit<MarkProps, 'children'>) => ({
  className: styles.mark,
  tabIndex: isTabStop ? 0 : -1,
  'aria-label': name,
  onKeyDown,
  onPointerEnter: () => onActive(true),
  onPointerLeave: () => onActive(false),
  onFocus: () => onActive(true),
  onBlur: () => onActive(false),
})

/** A bar of a chart with its figures; where it has a link, it leads to the rows behind them. */
export const ChartMark = ({ link, ...mark }: MarkProps & { link?: ChartLink | undefined }) =>
  link ? <LinkedMark {...mark} link={link} /> : <PlainMark {...mark} />

const PlainMark = ({ children, ...mark }: MarkProps) => (
  <g role="img" {...eventsOf(mark)}>
    {children}
  </g>
)

function LinkedMark({ link, children, ...mark }: MarkProps & { link: ChartLink }) {
  const { href, onClick } = useLinkProps({ to: link.to, search: link.search })
  return (
    <a href={href} onClick={onClick} {...eventsOf(mark)}>
      {children}
    </a>
  )
}
