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

interface BoxOptions {
  /** The distance to what is above, where the parent is no stack and so has no gap. */
  above?: Space | undefined
  below?: Space | undefined
  /** Takes the space that is left in a row or a stack. */
  grow?: boolean | undefined
}

interface StackOptions extends BoxOptions {
  gap?: Space | undefined
  /** Children are as wide as the stack unless this says where they stand. */
  align?: 'start' | 'center' | 'end' | undefined
}

interface RowOptions extends BoxOptions {
  gap?: Space | undefined
  /** The distance of wrapped lines where it is not the gap. */
  lineGap?: 0 | 1 | 2 | 3 | undefined
  align?: 'start' | 'center' | 'baseline' | 'end' | undefined
  wrap?: boolean | undefined
  /** The first child at the left, the last at the right. */
  between?: boolean | undefined
  /** All children at the right. */
  right?: boolean | undefined
  /** The last child at the right, the others at the left. */
  lastRight?: boolean | undefined
  /** As wide as its children, in a line of text. */
  inline?: boolean | undefined
}

interface SoftOptions extends Pick<BoxOptions, 'above' | 'below'> {
  small?: boolean | undefined
  /** What is wrong, or needs a look, instead of soft. */
  tone?: 'bad' | 'warn' | undefined
}

interface ListOptions extends StackOptions {
  /** Lines between the items. */
  divided?: boolean | undefined
}

const joined = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ')
const gapClass = (gap: Space | undefined) => gap && styles[`gap${gap}`]
const boxClasses = ({ above, below, grow }: BoxOptions) =>
  joined(above && styles[`above${above}`], below && styles[`below${below}`], grow && styles.grow)

/** Children under each other. */
export function Stack<As extends Tag = 'div'>(props: LayoutProps<StackOptions, As>) {
  const { as: Element = 'div', className, ...options } = props as LayoutProps<StackOptions, 'div'>
  const { gap, align, above, below, grow, ...rest } = options
  const own = joined(styles.stack, gapClass(gap), align && styles[align], boxClasses({ above, below, grow }), className)
  return <Element {...rest} className={own} />
}

/** Children beside each other. */
export function Row<As extends Tag = 'div'>(props: LayoutProps<RowOptions, As>) {
  const { as: Element = 'div', className, ...options } = props as LayoutProps<RowOptions, 'div'>
  const { gap, lineGap, align, wrap, between, right, lastRight, inline, above, below, grow, ...rest } = options
  const own = joined(
    styles.row,
    inline && styles.inline,
    gapClass(gap),
    lineGap !== undefined && styles[`lines${lineGap}`],
    align && styles[align],
    wrap && styles.wrap,
    between && styles.between,
    right && styles.right,
    lastRight && styles.lastRight,
    boxClasses({ above, below, grow }),
    className,
  )
  return <Element {...rest} className={own} />
}

/** Text of the second rank. */
export function Soft<As extends Tag = 'span'>(props: LayoutProps<SoftOptions, As>) {
  const { as: Element = 'span', className, ...options } = props as LayoutProps<SoftOptions, 'span'>
  const { small, tone, above, below, ...rest } = options
  const own = joined(styles.soft, small && styles.small, tone && styles[tone], boxClasses({ above, below }), className)
  return <Element {...rest} className={own} />
}

/** Items under each other, without bullets. */
export function List<As extends 'ul' | 'ol' = 'ul'>(props: LayoutProps<ListOptions, As>) {
  const { as = 'ul', divided, className, ...rest } = props as LayoutProps<ListOptions, 'ul'>
  return <Stack as={as} {...rest} className={joined(divided && styles.divided, className)} />
}
