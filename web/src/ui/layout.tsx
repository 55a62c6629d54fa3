import type { ComponentPropsWithRef, JSX } from 'react'
import styles from './layout.module.css'

/** A distance of the look: `2` is `--space-2`. */
type Space = 1 | 2 | 3 | 4 | 6 | 8
type Tag = keyof JSX.IntrinsicElements

/** What a part says itself, the element that it is, and everything which that element takes. */
type LayoutProps<Own, As extends Tag> = Own & { as?: As | undefined } & Omit<
    ComponentPropsWithRef<As>,
    keyof Own | 'as'
  >

interface StackOptions {
  gap?: Space | undefined
  /** Children are as wide as the stack unless this says where they stand. */
  align?: 'start' | 'center' | 'end' | undefined
}

interface RowOptions {
  gap?: Space | undefined
  /** The distance of wrapped lines where it is not the gap. */
  lineGap?: 0 | 1 | 2 | 3 | undefined
  align?: 'start' | 'center' | 'baseline' | 'end' | undefined
  wrap?: boolean | undefined
  /** The first child at the left, the last at the right. */
  between?: boolean | undefined
  /** All children at the right. */
  right?: boolean | undefined
}

interface SoftOptions {
  small?: boolean | undefined
}

interface ListOptions extends StackOptions {
  /** Lines between the items. */
  divided?: boolean | undefined
}

const joined = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')
const gapClass = (gap: Space | undefined) => gap && styles[`gap${gap}`]

/** Children under each other. */
export function Stack<As extends Tag = 'div'>(props: LayoutProps<StackOptions, As>) {
  const { as: Element = 'div', gap, align, className, ...rest } = props as LayoutProps<StackOptions, 'div'>
  return <Element {...rest} className={joined(styles.stack, gapClass(gap), align && styles[align], className)} />
}

/** Children beside each other. */
export function Row<As extends Tag = 'div'>(props: LayoutProps<RowOptions, As>) {
  const { as: Element = 'div', className, ...options } = props as LayoutProps<RowOptions, 'div'>
  const { gap, lineGap, align, wrap, between, right, ...rest } = options
  const own = joined(
    styles.row,
    gapClass(gap),
    lineGap !== undefined && styles[`lines${lineGap}`],
    align && styles[align],
    wrap && styles.wrap,
    between && styles.between,
    right && styles.right,
    className,
  )
  return <Element {...rest} className={own} />
}

/** Text of the second rank. */
export function Soft<As extends Tag = 'span'>(props: LayoutProps<SoftOptions, As>) {
  const { as: Element = 'span', small, className, ...rest } = props as LayoutProps<SoftOptions, 'span'>
  return <Element {...rest} className={joined(styles.soft, small && styles.small, className)} />
}

/** Items under each other, without bullets. */
export function List<As extends 'ul' | 'ol' = 'ul'>(props: LayoutProps<ListOptions, As>) {
  const { as = 'ul', divided, className, ...rest } = props as LayoutProps<ListOptions, 'ul'>
  return <Stack as={as} {...rest} className={joined(divided && styles.divided, className)} />
}
