import { acceptedExtensions, acceptedTypesText, fileTypes } from '@roadshow/contract/platform/files'
import type { FilePurpose, FileRef } from '@roadshow/contract/platform/files'
import { Button, Progress } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { errorMessage } from '../../api/call.ts'
import { upload } from '../../api/upload.ts'
import { EM_DASH } from '../text/dash.ts'
import styles from './FileUpload.module.css'
import { Row, Soft, Stack } from '../layout.tsx'

interface UploadProps {
  purpose: FilePurpose
  /** The file's uid; empty while one is on its way, so that the form cannot be saved without it. */
  value?: string | null
  onChange?: (uid: string | null) => void
  /** The file that is there already. */
  current?: FileRef | null | undefined
  /** A new file is in the store. */
  onStored?: (file: FileRef) => void
  /** Given by the form. */
  id?: string
}

interface Sending {
  name: string
  share: number
  isWaiting: boolean
  stop: AbortController
  /** What the field held before. */
  before: string | null
}

const megabytes = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** A file's facts on one line: `PNG · 1920 × 480 · 2.3 MB`. */
export function fileFacts({ contentType, width, height, durationMs, size }: FileRef): string {
  return [
    fileTypes[contentType].word,
    width && height ? `${width} × ${height}` : undefined,
    durationMs === null ? undefined : `${(durationMs / 1000).toFixed(1)} s`,
    megabytes(size),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Sends chosen files to the store, one at a time: a new one takes the place of the one under way. */
function useFileSending({ purpose, value = null, onChange, onStored }: UploadProps) {
  const [sending, setSending] = useState<Sending>()
  const [problem, setProblem] = useState<string>()
  const [stored, setStored] = useState<FileRef>()

  // Leaving the form stops the upload that is under way.
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const send = async (chosen: File) => {
    sending?.stop.abort()
    const stop = new AbortController()
    running.current = stop
    const before = sending ? sending.before : value
    const show = (more: Partial<Sending>) => setSending((now) => (now?.stop === stop ? { ...now, ...more } : now))
    setProblem(undefined)
    setSending({ name: chosen.name, share: 0, isWaiting: false, stop, before })
    onChange?.('')
    try {
      const done = await upload(chosen, purpose, {
        signal: stop.signal,
        onProgress: (share) => show({ share }),
        onWaiting: (isWaiting) => show({ isWaiting }),
      })
      setStored(done)
      onStored?.(done)
      onChange?.(done.uid)
    } catch (error) {
      // Another file took its place, or the user canceled: there is nothing to say.
      if (running.current !== stop) return
      onChange?.(before)
      if (!stop.signal.aborted) setProblem(`${chosen.name}: ${errorMessage(error)}`)
    }
    setSending((now) => (now?.stop === stop ? undefined : now))
  }
  return { sending, problem, stored, send }
}

/** Takes one file by choosing or dropping it, sends it to the store with its progress, and holds its uid. */
export function FileUpload(props: UploadProps) {
  const { purpose, value = null, onChange, current, id } = props
  const ownId = useId()
  const [isOver, setIsOver] = useState(false)
  const { sending, problem, stored, send } = useFileSending(props)
  const file = [stored, current].find((each) => each && each.uid === value)

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped) void send(dropped)
  }

  return (
    <div
      className={styles.upload}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {sending ? (
        <UploadProgress sending={sending} />
      ) : (
        <>
          {file && (
            <Stack gap={1} align="start" className={styles.stored}>
              <FileLines file={file} />
            </Stack>
          )}
          <FileChooser
            id={id ?? ownId}
            purpose={purpose}
            hasFile={file !== undefined && file !== null}
            onChoose={(chosen) => void send(chosen)}
            onRemove={() => onChange?.(null)}
          />
        </>
      )}
      {problem && (
        <Soft role="alert" as="p" tone="bad">
          {problem}
        </Soft>
      )}
    </div>
  )
}

const UploadProgress = ({ sending: { name, share, isWaiting, stop } }: { sending: Sending }) => (
  <Stack gap={1} align="start" className="upload-progress">
    <span className={styles.name}>{name}</span>
    <Progress
      percent={Math.floor(share * 100)}
      status={isWaiting ? 'normal' : 'active'}
      aria-label={`Uploading ${name}`}
    />
    <span role="status">
      {isWaiting
        ? 'Connection lost. The upload resumes when you are back online…'
        : share >= 1
          ? 'Checking the file…'
          : ''}
    </span>
    <Button size="small" onClick={() => stop.abort()}>
      Cancel upload
    </Button>
  </Stack>
)

interface FileChooserProps {
  id: string
  purpose: FilePurpose
  hasFile: boolean
  onChoose: (file: File) => void
  onRemove: () => void
}

const FileChooser = ({ id, purpose, hasFile, onChoose, onRemove }: FileChooserProps) => (
  <>
    <Row gap={2} align="center" wrap>
      <input
        id={id}
        type="file"
        className={styles.input}
        accept={acceptedExtensions(purpose)}
        aria-describedby={`${id}hint`}
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          if (chosen) onChoose(chosen)
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      <label htmlFor={id} className={styles.choose}>
        {hasFile ? 'Replace' : 'Choose a file'}
      </label>
      {hasFile && (
        <Button type="text" size="small" onClick={onRemove}>
          Remove
        </Button>
      )}
    </Row>
    {!hasFile && (
      <Soft as="p" id={`${id}hint`} small>
        or drop it here: {acceptedTypesText(purpose)}
      </Soft>
    )}
  </>
)

/** A file with its picture, which opens whole. */
export const StoredFile = ({ file }: { file: FileRef | null | undefined }) =>
  file ? (
    <Stack as="a" href={file.url} target="_blank" rel="noreferrer" gap={1} align="start" className={styles.stored}>
      <FileLines file={file} />
    </Stack>
  ) : (
    EM_DASH
  )

const FileLines = ({ file }: { file: FileRef }) => (
  <>
    {file.thumbnailUrl ? (
      <img src={file.thumbnailUrl} alt="" className={styles.picture} />
    ) : (
      <span className={styles.picture} aria-hidden>
        {fileTypes[file.contentType].word}
      </span>
    )}
    <span className={styles.name}>{file.name}</span>
    <Soft small className="figures">
      {fileFacts(file)}
    </Soft>
  </>
)
