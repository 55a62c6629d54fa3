import { Button, Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Row, Stack } from '../../../ui/layout.tsx'
import { oneLine } from '../../../ui/rows/oneLine.ts'
import { rejections } from './rejections.ts'
import styles from './PhotoQueue.module.css'

interface RejectPhotoProps {
  onReject: (reason: string) => void
  onCancel: () => void
}

/** The reasons to reject a photo: one of the common ones, or another in words. */
export function RejectPhoto({ onReject, onCancel }: RejectPhotoProps) {
  const [other, setOther] = useState('')
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    first.current?.focus()
  }, [])
  const reason = other.trim()
  return (
    <Stack gap={2} as="section" aria-label="Why is it rejected?" className={styles.reasons}>
      <Row gap={2} lineGap={2} wrap>
        {rejections.map((text, place) => (
          <Button key={text} ref={place === 0 ? first : null} onClick={() => onReject(text)}>
            <kbd>{place + 1}</kbd> {text}
          </Button>
        ))}
      </Row>
      <Row gap={2} lineGap={2} wrap>
        <Input
          className={styles.other ?? ''}
          aria-label="Another reason"
          placeholder="Another reason"
          maxLength={300}
          value={other}
          onChange={({ target }) => setOther(oneLine(target.value))}
          onPressEnter={() => reason !== '' && onReject(reason)}
          onKeyDown={({ key }) => key === 'Escape' && onCancel()}
        />
        <Button disabled={reason === ''} onClick={() => onReject(reason)}>
          Reject
        </Button>
        <Button type="text" onClick={onCancel} aria-keyshortcuts="Escape">
          Cancel <kbd>Esc</kbd>
        </Button>
      </Row>
    </Stack>
  )
}
