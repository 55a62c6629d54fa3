import type { Endpoint } from '@roadshow/contract/platform/endpoint'
import type { ShiftUploadResult, shiftUpload } from '@roadshow/contract/planning/shift-upload'
import { call } from '../../../api/call.ts'
import { useSave } from '../../../api/useSave.ts'
import { useTableUpload } from '../../../ui/import/useTableUpload.ts'

/** The endpoint that takes the file: the new and the old schedule each have one. */
export type UploadCall = Omit<typeof shiftUpload.upload, 'path' | 'access'> & Pick<Endpoint, 'path' | 'access'>

/** A schedule file: chosen, sent, checked, and saved on request. */
export function useUpload(upload: UploadCall) {
  const saving = useSave(upload)
  return useTableUpload<undefined, ShiftUploadResult>(
    {
      check: async (file, _options, sending) =>
        (await call(upload, { body: { save: false }, files: { file: [file] } }, sending)).data,
      save: async (file, _options, digest) =>
        (await saving.mutateAsync({ body: { save: true, digest }, files: { file: [file] } })).data,
    },
    undefined,
  )
}
