import { Spin } from 'antd'
import styles from './Shell.module.css'

/** A screen that is on its way. */
export const Loading = () => (
  <div className={styles.center} role="status" aria-label="Loading">
    <Spin size="large" />
  </div>
)
