import { Link } from '@tanstack/react-router'
import { useSetupStanding } from './useSetupStanding.ts'
import styles from './setup.module.css'

/** The way to the list above the menu, as long as something is left. */
export default function SetupEntry({ onChoose }: { onChoose?: (() => void) | undefined }) {
  const standing = useSetupStanding()
  if (!standing?.isUnfinished) return null
  return (
    <Link to="/setup" onClick={onChoose} className={styles.entry}>
      Set up
    </Link>
  )
}
