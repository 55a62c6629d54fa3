import { Soft } from '../../ui/layout.tsx'
import styles from './FactList.module.css'

/** Each name with its value. */
export const FactList = ({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) => (
  <dl className={styles.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <Soft as="dt">{name}</Soft>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
