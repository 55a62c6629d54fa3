import { Soft } from '../../ui/layout.tsx'
import shared from './overview.module.css'

/** Each name with its value. */
export const FactList = ({ facts }: { facts: readonly (readonly [name: string, value: string])[] }) => (
  <dl className={shared.facts}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <Soft as="dt">{name}</Soft>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
