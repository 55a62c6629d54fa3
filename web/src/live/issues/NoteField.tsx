import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { Form, Input } from 'antd'
import styles from './issues.module.css'

/** What a form of the note is filled from, and what it says when a colleague wrote another one meanwhile. */
export const noteForm = {
  toInput: ({ note }: TruckIssue) => ({ note }),
  changeText: (_: string, { note }: TruckIssue) =>
    note ? `The note was changed to: ${note}` : 'The note was removed.',
}

export const NoteField = () => (
  <Form.Item name="note" label="Note" className={styles.field ?? ''}>
    <Input maxLength={500} />
  </Form.Item>
)
