import { Button } from 'antd'
import { SlowSave } from './SlowSave.tsx'
import styles from './StickyFooter.module.css'

interface Props {
  /** What the form does, such as Save. */
  act: string
  isBusy: boolean
  onClose: () => void
  cancel?: string
}

/** The end of a long form in a drawer: what it does and Cancel stay in view. */
export const StickyFooter = ({ act, isBusy, onClose, cancel = 'Cancel' }: Props) => (
  <footer className={styles.footer}>
    <SlowSave isBusy={isBusy} />
    <Button onClick={onClose}>{cancel}</Button>
    <Button type="primary" htmlType="submit" loading={isBusy}>
      {act}
    </Button>
  </footer>
)
