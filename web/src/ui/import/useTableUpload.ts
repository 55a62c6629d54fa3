import { TABLE_FILE } from '@roadshow/contract/platform/imports'
import { useRef, useState } from 'react'
import { ApiError, errorMessage } from '../../api/call.ts'
import { withProgress } from '../../api/with-progress.ts'

const TOO_LARGE = `The file is larger than ${TABLE_FILE.bytes / 1024 / 1024} MB.`

interface SendOptions {
  by: ReturnType<typeof withProgress>
  signal: AbortSignal
}

interface TableUpload<Options, Result> {
  check: (file: File, options: Options, sending: SendOptions) => Promise<Result>
  save: (file: File, options: Options, digest: string) => Promise<Result>
}

/** A table of a file: chosen, sent, checked, and saved on request. Options say how it is read. */
export function useTableUpload<Options, Result extends { digest: string }>(
  { check: sendCheck, save: sendSave }: TableUpload<Options, Result>,
  startOptions: Options,
) {
  const [file, setFile] = useState<File>()
  const [options, setOptions] = useState(startOptions)
  const [sent, setSent] = useState(0)
  const [checked, setChecked] = useState<Result>()
  const [saved, setSaved] = useState<Result>()
  const [isSaving, setSaving] = useState(false)
  const [isChecking, setChecking] = useState(false)
  const [problem, setProblem] = useState<string>()
  const running = useRef<AbortController>(undefined)

  /** Another file, another check, or closing cancels the running one. */
  const begin = () => {
    running.current?.abort()
    running.current = new AbortController()
    setSaved(undefined)
    setSent(0)
    setProblem(undefined)
    return running.current.signal
  }

  const startWith = (chosen: File | undefined) => {
    const signal = begin()
    setFile(chosen)
    setChecked(undefined)
    return signal
  }

  async function check(chosen: File, given: Options = startOptions) {
    const isSameFile = chosen === file
    const signal = isSameFile ? begin() : startWith(chosen)
    setOptions(given)
    setChecking(true)
    try {
      if (chosen.size > TABLE_FILE.bytes) throw new ApiError(413, { error: TOO_LARGE })
      // A copy: the saved file is the checked one, even if the file on the disk changes.
      const copy = isSameFile ? chosen : new File([await chosen.arrayBuffer()], chosen.name, { type: chosen.type })
      if (signal.aborted) return
      setFile(copy)
      const by = withProgress((bytes, ofBytes) => setSent(bytes / ofBytes))
      const result = await sendCheck(copy, given, { by, signal })
      if (!signal.aborted) setChecked(result)
    } catch (error) {
      if (!signal.aborted) setProblem(errorMessage(error))
    } finally {
      if (!signal.aborted) setChecking(false)
    }
  }

  async function save() {
    if (!file || !checked) return
    setSaving(true)
    try {
      setSaved(await sendSave(file, options, checked.digest))
    } catch (error) {
      setProblem(errorMessage(error))
    } finally {
      setSaving(false)
    }
  }

  return {
    file,
    options,
    sent,
    checked,
    problem,
    isChecking,
    isSaving,
    /** The result of the save. */
    saved,
    check: (chosen: File, given?: Options) => void check(chosen, given),
    save: () => void save(),
    clear: () => {
      startWith(undefined)
      setOptions(startOptions)
      setChecking(false)
    },
  }
}
