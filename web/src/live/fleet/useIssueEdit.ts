import type { TruckIssue } from '@roadshow/contract/live/truck-issue'
import { useState } from 'react'
import { isStale } from '../../api/call.ts'

interface Edit<Value> {
  value: Value
  /** The value and the version of the issue that the edit began on. */
  before: Value
  version: number
  /** The server refused the edit and the user knows of the other change: the next save is made on top of it. */
  isRefused: boolean
}

/**
 * A field of an issue that others may change while it is open. Until the user edits it, it follows their changes. An edit
 * is saved on the version it began on, so that the server refuses it if someone else was faster.
 */
export function useIssueEdit<Value>({ version }: TruckIssue, current: Value) {
  const [edit, setEdit] = useState<Edit<Value>>()
  return {
    value: edit ? edit.value : current,
    version: edit && !edit.isRefused ? edit.version : version,
    /** Whether someone else has changed the field since the edit began. */
    isChangedElsewhere: edit !== undefined && edit.before !== current && edit.value !== current,
    set: (value: Value) =>
      setEdit((began) =>
        began && !began.isRefused ? { ...began, value } : { value, before: current, version, isRefused: false },
      ),
    /** Runs a save of the field. */
    async save<Saved>(work: () => Promise<Saved>): Promise<Saved> {
      try {
        return await work()
      } catch (error) {
        if (isStale(error)) setEdit((began) => began && { ...began, isRefused: true })
        throw error
      }
    },
  }
}
