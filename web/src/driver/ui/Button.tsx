import type { ComponentProps, ReactNode } from 'react'
import { Link } from '../router.tsx'
import styles from './Button.module.css'

/** `primary` is the one next act of a page. */
export type ButtonLook = 'primary' | 'plain' | 'quiet' | 'bad'

const classOf = (look: ButtonLook) => `${styles.button} ${look === 'plain' ? '' : styles[look]}`

export function Button({ look = 'plain', ...rest }: ComponentProps<'button'> & { look?: ButtonLook }) {
  return <button type="button" {...rest} className={classOf(look)} />
}

interface LinkLook {
  look?: ButtonLook
  children: ReactNode
}

/** A link to a page of the app that looks like a button. */
export const ButtonLink = ({ to, look = 'plain', children }: LinkLook & { to: string }) => (
  <Link to={to} className={classOf(look)}>
    {children}
  </Link>
)

/** A link that leaves the app, such as to the phone or the map. */
export const OutsideLink = ({ href, look = 'plain', children, ...rest }: LinkLook & ComponentProps<'a'>) => (
  <a href={href} className={classOf(look)} {...rest}>
    {children}
  </a>
)
