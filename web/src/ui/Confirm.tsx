import { Modal } from 'antd'

interface ConfirmProps {
  open: boolean
  question: string
  /** What will happen. */
  text: string
  /** The button that does it, in words: `Delete`. */
  act: string
  busy?: boolean
  onAct: () => void
  onCancel: () => void
}

/** Asks once before something is lost. */
export const Confirm = ({ open, question, text, act, busy = false, onAct, onCancel }: ConfirmProps) => (
  <Modal
    open={open}
    title={question}
    okText={act}
    okButtonProps={{ danger: true }}
    confirmLoading={busy}
    cancelText="Cancel"
    onOk={onAct}
    onCancel={onCancel}
    width={416}
    centered
    destroyOnHidden
  >
    {text}
  </Modal>
)
