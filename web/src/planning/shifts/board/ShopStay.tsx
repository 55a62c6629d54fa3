import type { Stay } from './boardModel.ts'
import styles from './BoardGrid.module.css'

interface ShopStayProps {
  stay: Stay
  /** Words are drawn where no bar covers them. */
  isAlone: boolean
}

/** The part of a day in which a truck is in the shop: tinted behind the bars, with its words on the first day. */
export const ShopStay = ({ stay, isAlone }: ShopStayProps) => (
  <span
    className={styles.stay}
    data-first={stay.words !== ''}
    style={{ left: `${stay.from * 100}%`, width: `${(stay.to - stay.from) * 100}%` }}
  >
    {isAlone && stay.words}
  </span>
)
