import { acceptedExtensions, acceptedTypesText, fileTypes } from '@roadshow/contract/platform/files'
import type { FilePurpose, FileRef } from '@roadshow/contract/platform/files'
import { Button, ConfigProvider, Progress } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import type { DragEvent } from 'react'
import { errorMessage } from '../api/call.ts'
import { upload } from '../api/upload.ts'
import styles from './FileUpload.module.css'

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

/** Takes one file by choosing or dropping it, sends it to the store with its progress, and holds its uid. */
export function FileUpload({ purpose, value = null, onChange, current, onStored, id }: UploadProps) {
  const ownId = useId()
  const inputId = id ?? ownId
  const isDisabled = ConfigProvider.useConfig().componentDisabled ?? false
  const [sending, setSending] = useState<Sending>()
  const [problem, setProblem] = useState<string>()
  const [stored, setStored] = useState<FileRef>()
  const [isOver, setIsOver] = useState(false)
  const file = [stored, current].find((each) => each && each.uid === value)

  // Leaving the form stops what is under way.
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  async function send(chosen: File) {
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
      // Another file took its place, or the person cancelled: nothing to say.
      if (running.current !== stop) return
      onChange?.(before)
      if (!stop.signal.aborted) setProblem(`${chosen.name}: ${errorMessage(error)}`)
    }
    setSending((now) => (now?.stop === stop ? undefined : now))
  }

  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    const [dropped] = event.dataTransfer.files
    if (dropped && !isDisabled) void send(dropped)
  }

  return (
    <div
      className={styles.upload}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(!isDisabled)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {sending ? (
        <div className={styles.sending}>
          <span className={styles.name}>{sending.name}</span>
          <Progress
            percent={Math.floor(sending.share * 100)}
            status={sending.isWaiting ? 'normal' : 'active'}
            aria-label={`Uploading ${sending.name}`}
          />
          <span role="status">
            {sending.isWaiting
              ? 'Connection lost. The upload resumes when you are back online…'
              : sending.share >= 1
                ? 'Checking the file…'
                : ''}
          </span>
          <Button size="small" onClick={() => sending.stop.abort()}>
            Cancel upload
          </Button>
        </div>
      ) : (
        <>
          {file && <StoredFile file={file} />}
          {!file && isDisabled && <p className={styles.hint}>No file.</p>}
          {!isDisabled && (
            <div className={styles.acts}>
              <input
                id={inputId}
                type="file"
                className={styles.input}
                accept={acceptedExtensions(purpose)}
                aria-describedby={`${inputId}hint`}
                onChange={({ target }) => {
                  const [chosen] = target.files ?? []
                  if (chosen) void send(chosen)
                  // The same file can be chosen again.
                  target.value = ''
                }}
              />
              <label htmlFor={inputId} className={styles.choose}>
                {file ? 'Replace' : 'Choose a file'}
              </label>
              {file && (
                <Button type="text" size="small" onClick={() => onChange?.(null)}>
                  Remove
                </Button>
              )}
            </div>
          )}
          {!file && !isDisabled && (
            <p id={`${inputId}hint`} className={styles.hint}>
              or drop it here: {acceptedTypesText(purpose)}
            </p>
          )}
        </>
      )}
      {problem && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}

const StoredFile = ({ file }: { file: FileRef }) => (
  <div className={styles.stored}>
    {file.thumbnailUrl ? (
      <img src={file.thumbnailUrl} alt="" className={styles.picture} />
    ) : (
      <span className={styles.picture} aria-hidden>
        {fileTypes[file.contentType].word}
      </span>
    )}
    <span className={styles.name}>{file.name}</span>
    <span className={`${styles.hint ?? ''} figures`}>{fileFacts(file)}</span>
  </div>
)
