import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import { TABLE_FILE } from '@roadshow/contract/platform/imports'
import type { ShiftUploadResult, shiftUpload } from '@roadshow/contract/planning/shift-upload'
import { useRef, useState } from 'react'
import { ApiError, call, errorMessage } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { withProgress } from '../../../api/with-progress.ts'

const TOO_LARGE = `The file is larger than ${TABLE_FILE.bytes / 1024 / 1024} MB.`

/** The endpoint that takes the file: the new and the old schedule each have one. */
export type UploadCall = Omit<typeof shiftUpload.upload, 'path' | 'access'> & Pick<Endpoint, 'path' | 'access'>

/** A schedule file: chosen, sent, checked, and saved on request. */
export function useUpload(upload: UploadCall) {
  const [file, setFile] = useState<File>()
  const [sent, setSent] = useState(0)
  const [checked, setChecked] = useState<ShiftUploadResult>()
  const [problem, setProblem] = useState<string>()
  const saving = useSave(upload)
  const running = useRef<AbortController>(undefined)

  /** Another file, or closing, cancels the running upload. */
  const startWith = (chosen: File | undefined) => {
    running.current?.abort()
    running.current = new AbortController()
    saving.reset()
    setFile(chosen)
    setSent(0)
    setChecked(undefined)
    setProblem(undefined)
    return running.current.signal
  }

  async function check(chosen: File) {
    const signal = startWith(chosen)
    try {
      if (chosen.size > TABLE_FILE.bytes) throw new ApiError(413, { error: TOO_LARGE })
      // A copy: the saved file is the checked one, even if the file on the disk changes.
      const copy = new File([await chosen.arrayBuffer()], chosen.name, { type: chosen.type })
      if (signal.aborted) return
      setFile(copy)
      const by = withProgress((bytes, ofBytes) => setSent(bytes / ofBytes))
      const { data } = await call(upload, { body: { save: false }, files: { file: [copy] } }, { by, signal })
      if (!signal.aborted) setChecked(data)
    } catch (error) {
      if (!signal.aborted) setProblem(errorMessage(error))
    }
  }

  async function save() {
    if (!file || !checked) return
    try {
      await saving.mutateAsync({ body: { save: true, digest: checked.digest }, files: { file: [file] } })
    } catch (error) {
      setProblem(errorMessage(error))
    }
  }

  return {
    file,
    sent,
    checked,
    problem,
    isSaving: saving.isPending,
    /** The result of the save. */
    saved: saving.data?.data,
    check: (chosen: File) => void check(chosen),
    save: () => void save(),
    clear: () => void startWith(undefined),
  }
}
