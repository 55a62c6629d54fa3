import { Button, Modal } from 'antd'
import type { ReactNode } from 'react'

interface ConfirmProps {
  open: boolean
  question: string
  /** What will happen. */
  text: ReactNode
  /** The button that does it, in words: `Delete`. */
  act: string
  busy?: boolean
  /** While it is not known yet what the act would do. */
  isWaiting?: boolean
  /** Nothing can be done: the window only says why. */
  isRefused?: boolean
  /** Nothing is lost by it. */
  isSafe?: boolean
  onAct: () => void
  onCancel: () => void
}

/** Asks once before something is lost, or goes out to others. */
export const Confirm = ({
  open,
  question,
  text,
  act,
  busy = false,
  isWaiting = false,
  isRefused = false,
  isSafe = false,
  onAct,
  onCancel,
}: ConfirmProps) => (
  <Modal
    open={open}
    title={question}
    okText={act}
    okButtonProps={{ danger: !isSafe, disabled: isWaiting }}
    {...(isRefused && { footer: <Button onClick={onCancel}>Close</Button> })}
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
