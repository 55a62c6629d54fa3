import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { useWords } from '../context.ts'
import styles from './SideChoice.module.css'

const sides: readonly TruckSide[] = ['driverSide', 'passengerSide', 'rear']

interface SideChoiceParts {
  side: TruckSide | null
  onChange: (side: TruckSide | null) => void
}

/** Which side of the truck the next photos show. */
export function SideChoice({ side, onChange }: SideChoiceParts) {
  const words = useWords()
  return (
    <fieldset className={styles.sides}>
      <legend>{words.sideOfTruck}</legend>
      {[...sides, null].map((each) => (
        <label key={each ?? ''} className={styles.side}>
          <input type="radio" name="side" checked={side === each} onChange={() => onChange(each)} />
          <span>{each === null ? words.sideNone : words[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}
