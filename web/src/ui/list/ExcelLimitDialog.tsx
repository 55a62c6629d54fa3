import { Modal } from 'antd'

interface ExcelLimitDialogProps {
  /** The server's sentence. */
  why: string
  onCsv: () => void
  onCancel: () => void
}

/** More rows than a sheet of Excel holds: why not, and the way that takes them all. */
export default function ExcelLimitDialog({ why, onCsv, onCancel }: ExcelLimitDialogProps) {
  return (
    <Modal
      open
      title="Too many rows for Excel"
      okText="Export as CSV"
      cancelText="Cancel"
      onOk={onCsv}
      onCancel={onCancel}
      width={416}
      centered
    >
      {why}
    </Modal>
  )
}
