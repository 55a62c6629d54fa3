import { issueWork } from '@roadshow/contract/live/issue-work'
import type { IssueComment } from '@roadshow/contract/live/issue-work'
import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { files } from '@roadshow/contract/platform/files'
import { Alert, Button, Input } from 'antd'
import { useId, useState } from 'react'
import { errorMessage } from '../../api/call.ts'
import { useDetails } from '../../api/useDetails.ts'
import { useSaveOnce } from '../../api/useSave.ts'
import { useMay } from '../../api/user.ts'
import { List, Soft, Stack } from '../../ui/layout.tsx'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import { formatMoment } from '@roadshow/contract/platform/dates'
import { IssuePhotos } from './IssuePhotos.tsx'
import { PhotoSlots } from './PhotoSlots.tsx'
import styles from './issues.module.css'

/** What staff says to each other about an issue. Neither drivers nor clients read it. */
export function IssueComments({ issue }: { issue: TruckIssue }) {
  const found = useDetails(issueWork.comments, issue.uid)
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  return (
    <Stack gap={4} className={styles.comments}>
      {found.data.length === 0 && (
        <p>
          <Soft>No comments yet.</Soft>
        </p>
      )}
      {found.data.length > 0 && (
        <List as="ol" gap={3} aria-label="Comments">
          {found.data.map((comment) => (
            <CommentLine key={comment.uid} comment={comment} zone={issue.zone} />
          ))}
        </List>
      )}
      <WriteComment issue={issue} />
    </Stack>
  )
}

const CommentLine = ({ comment: { by, at, text, photos }, zone }: { comment: IssueComment; zone: string }) => (
  <li>
    <Soft>
      {by.name}, {formatMoment(at, zone)}
    </Soft>
    <p className={styles.text}>{text}</p>
    <IssuePhotos photos={photos} from={`From ${by.name}`} />
  </li>
)

function WriteComment({ issue: { uid } }: { issue: TruckIssue }) {
  const write = useSaveOnce(issueWork.comment)
  const mayUpload = useMay(files.getUploadSas)
  const [text, setText] = useState('')
  const [photoFileUids, setPhotos] = useState<string[]>([])
  // Each comment has photo slots of its own.
  const [written, setWritten] = useState(0)
  const id = useId()
  const isSending = photoFileUids.includes('')
  async function send() {
    await write.mutateAsync({ params: { uid }, body: { text: text.trim(), photoFileUids } })
    // Text that was typed while this comment was sent belongs to the next one.
    setText((now) => (now === text ? '' : now))
    setPhotos([])
    setWritten((count) => count + 1)
  }
  return (
    <Stack gap={2} align="start" className={styles.write}>
      <label htmlFor={id}>Comment</label>
      <Input.TextArea
        id={id}
        value={text}
        maxLength={2000}
        autoSize={{ minRows: 2, maxRows: 8 }}
        onChange={({ target }) => setText(target.value)}
      />
      {mayUpload && <PhotoSlots key={written} onChange={setPhotos} />}
      {write.error && <Alert type="error" role="alert" title={errorMessage(write.error)} />}
      <p>
        <Soft>Only staff can read comments.</Soft>
      </p>
      <Button
        type="primary"
        disabled={text.trim() === '' || isSending}
        loading={write.isPending}
        onClick={() => void send().catch(() => {})}
      >
        Add comment
      </Button>
    </Stack>
  )
}
