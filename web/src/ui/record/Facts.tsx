import type { ReactNode } from 'react'
import styles from '../details.module.css'
import { Soft } from '../layout.tsx'

/** What is known of a record that is only read: each term with its value below. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, ReactNode>> }) => (
  <dl className={styles.facts}>
    {Object.entries(facts).map(([term, value]) => (
      <div key={term}>
        <Soft as="dt" small>
          {term}
        </Soft>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
