import { addedBy, imports } from '@roadshow/contract/console/imports'
import type { ImportCorrection, ImportKindName, ImportResult } from '@roadshow/contract/console/imports'
import type { BodyOf } from '@roadshow/contract/platform/endpoint'
import { call } from '../../api/call.ts'
import { useRefreshAfter } from '../../api/useSave.ts'
import { useTableUpload } from '../../ui/import/useTableUpload.ts'

/** How a file is read and what of it is saved. */
export interface ImportOptions {
  /** For each heading the column that it names; absent as the server recognizes them. */
  columns?: (string | null)[]
  corrections: ImportCorrection[]
}

export const AS_IT_IS: ImportOptions = { corrections: [] }

export type Skip = NonNullable<BodyOf<typeof imports.run>['skip']>

/** A file of records of a kind: checked, corrected, saved and undone. */
export function useImport(kind: ImportKindName, skip: Skip) {
  const refreshRecords = useRefreshAfter(addedBy[kind])
  const refreshImports = useRefreshAfter(imports.run)
  const refresh = () => {
    refreshRecords()
    refreshImports()
  }
  const upload = useTableUpload<ImportOptions, ImportResult>(
    {
      check: async (file, options, sending) =>
        (await call(imports.run, { body: { kind, save: false, ...options }, files: { file: [file] } }, sending)).data,
      save: async (file, options, digest) => {
        const body = { kind, save: true, digest, skip, ...options }
        const { data } = await call(imports.run, { body, files: { file: [file] } })
        refresh()
        return data
      },
    },
    AS_IT_IS,
  )
  /** Answers how many records were deleted and restored. */
  const undo = async (uid: string) => {
    const { data } = await call(imports.undo, { body: { kind, uid } })
    refresh()
    return data
  }
  return { ...upload, undo }
}
