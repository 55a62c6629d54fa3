import { Menu } from './Menu.tsx'
import type { MenuProps } from './Menu.tsx'
import styles from './Menu.module.css'

/** The menu beside the screen, for those who pinned it. */
export default function PinnedMenu(menu: MenuProps) {
  return (
    <aside className={styles.pinned}>
      <Menu {...menu} />
    </aside>
  )
}
